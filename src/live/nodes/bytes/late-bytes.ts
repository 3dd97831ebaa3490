import type { Duplex } from 'node:stream';

import { isTooOld } from '../../../devices/device-link/call-age.js';
import type { Standstill } from '../../../devices/device-link/standstill.js';

/**
 * Ends a hub connection that is passed on when bytes come that may have waited here for too long, and passes none of them: they may hold
 * calls that nobody expects any more.
 */
export function endWithLateBytes(near: Duplex, far: Duplex, standstill: Pick<Standstill, 'arrivedSince'>): void {
  const check = (): void => {
    if (!isTooOld(standstill.arrivedSince())) return;
    near.destroy();
    far.destroy();
  };
  // Before the listener that passes them on.
  for (const side of [near, far]) side.prependListener('data', check);
}
