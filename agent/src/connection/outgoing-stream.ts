import { Subject } from '@microsoft/signalr';

/**
 * The items of one call on their way to the server. The client library queues each behind a promise that nobody can reach, and
 * a failed one would end the process: so nothing is handed over unless the socket is open at that very moment.
 */
export class OutgoingStream {
  readonly subject = new Subject<unknown>();

  constructor(private readonly isOpen: () => boolean) {}

  /** Throws when the connection is gone. */
  next(item: unknown): void {
    if (!this.isOpen()) throw new Error('The connection to the server was lost.');
    this.subject.next(item);
  }

  /** Throws when the connection is gone. */
  complete(): void {
    if (!this.isOpen()) throw new Error('The connection to the server was lost.');
    this.subject.complete();
  }

  /** Tells the server why there is no more, if it can still be told. */
  fail(reason: string): void {
    if (this.isOpen()) this.subject.error(new Error(reason));
  }
}
