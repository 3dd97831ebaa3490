import { fault, type Finding } from '../finding.js';

/** Findings about devices without a key that are served. */
export function keylessFindings(count: number): readonly Finding[] {
  return count === 0 ? [] : [fault('devices-without-key', `${count} ${count === 1 ? 'device has' : 'devices have'} no key.`)];
}
