import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Ends a connection when nothing moves for some milliseconds while bytes wait to be taken, however often it was idle before. */
export function giveUpAtStandstill(side: Duplex, milliseconds: number): void {
  if (!(side instanceof Socket)) return;
  // As a callback of `setTimeout` it would be called once, and an idle time would be the last that it sees.
  side.setTimeout(milliseconds).on('timeout', () => {
    if (side.writableLength > 0) side.destroy();
  });
}
