import type { Duplex } from 'node:stream';

import { takeSocket, type ByteSink, type TakenSocket } from '../../../platform/http/connections/taken-socket.js';

/** Unsent bytes from which on the other side is not read, until all of them have left. */
const MAXIMUM_UNSENT = 262_144;

/** True when bytes that are read now may not be passed on any more. */
export type AreLate = () => boolean;

/** One of two sockets that pass their bytes, and their ends, on to each other. A side is read no faster than the other one takes it. */
export class JoinedSocket implements ByteSink {
  readonly socket: Duplex;
  private readonly taken: TakenSocket;
  private partner: JoinedSocket | undefined;

  /** Takes the socket over. Both sides end with the first late bytes, and pass none of them. */
  constructor(
    socket: Duplex,
    private readonly areLate: AreLate,
  ) {
    this.taken = takeSocket(socket, this);
    this.socket = this.taken.socket;
  }

  /** True if the partner's socket has taken everything. */
  get hasPassedOn(): boolean {
    return this.partner?.socket.writableLength === 0;
  }

  /** Begins to pass on to the partner. */
  begin(partner: JoinedSocket): void {
    this.partner = partner;
    const { socket: from, taken } = this;
    const { socket: to } = partner;
    from.on('error', () => to.destroy());
    from.once('end', () => to.end());
    // The end is passed at once where it broke, else once the other side has taken everything.
    from.once('close', () => {
      if (from.readableEnded && !to.writableFinished) to.once('finish', () => to.destroy());
      else to.destroy();
    });
    if (taken.early.length > 0) this.receive(taken.early);
    taken.begin();
  }

  receive(bytes: Buffer): void {
    const { socket: from, partner } = this;
    if (partner === undefined) return;
    const { socket: to } = partner;
    if (this.areLate()) {
      from.destroy();
      to.destroy();
      return;
    }
    if (!to.writable) return;
    to.write(bytes);
    if (to.writableLength < MAXIMUM_UNSENT) return;
    from.pause();
    to.once('drain', () => from.resume());
  }
}
