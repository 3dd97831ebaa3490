import { httpTls, syslogTls } from '../../../platform/config/forwarding-settings.js';
import { tlsAccess } from '../../../platform/config/values/pem-files.js';
import type { Settings } from '../../../platform/config/settings.js';
import { STANDARD_OUTPUT } from '../../../platform/config/options.js';
import { DestinationName, type Destination } from './destination.js';
import { FileDestination, StandardOutput } from './file-destination.js';
import { HttpDestination } from './http-destination.js';
import { SyslogDestination } from './syslog-destination.js';

/** The configured destinations. */
export function destinationsOf(options: Settings['forwarding']): ReadonlyMap<DestinationName, Destination> {
  const { file, httpUrl, httpToken, syslogUrl } = options;
  const destinations = new Map<DestinationName, Destination>();
  if (file !== '') destinations.set(DestinationName.File, file === STANDARD_OUTPUT ? new StandardOutput() : new FileDestination(file));
  if (syslogUrl !== '') destinations.set(DestinationName.Syslog, new SyslogDestination(syslogUrl, tlsAccess(syslogTls(options))));
  if (httpUrl !== '') destinations.set(DestinationName.Http, new HttpDestination(httpUrl, httpToken, tlsAccess(httpTls(options))));
  return destinations;
}
