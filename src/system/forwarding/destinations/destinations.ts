import type { Settings } from '../../../platform/config/settings.js';
import { STANDARD_OUTPUT } from '../../../platform/config/options.js';
import { DestinationName, type Destination } from './destination.js';
import { FileDestination, StandardOutput } from './file-destination.js';

/** The configured destinations. */
export function destinationsOf({ file }: Settings['forwarding']): ReadonlyMap<DestinationName, Destination> {
  const destinations = new Map<DestinationName, Destination>();
  if (file !== '') destinations.set(DestinationName.File, file === STANDARD_OUTPUT ? new StandardOutput() : new FileDestination(file));
  return destinations;
}
