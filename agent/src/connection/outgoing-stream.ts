import { Subject } from '@microsoft/signalr';

/**
 * The items of one call on their way to the server. The client library queues each behind a promise that nobody can reach, and
 * a failed one would end the process: so nothing is handed over unless the socket is open at that very moment.
 */
export class OutgoingStream {
  readonly subject = new Subject<unknown>();
  private hasAnswer = false;

  constructor(private readonly isOpen: () => boolean) {}

  /** Makes the call that carries this stream. Throws when the connection is gone. */
  begin(call: () => Promise<unknown>): void {
    this.requireOpen();
    const answered = (): void => {
      this.hasAnswer = true;
    };
    // A refusal says the same: nobody reads. A lost connection shows with the next item.
    call().then(answered, answered);
  }

  /** Whether the server has answered the call: it wants no more. */
  get isAnswered(): boolean {
    return this.hasAnswer;
  }

  /** Throws when the connection is gone. */
  next(item: unknown): void {
    this.requireOpen();
    this.subject.next(item);
  }

  /** Throws when the connection is gone. */
  complete(): void {
    this.requireOpen();
    this.subject.complete();
  }

  /** Tells the server why there is no more, if it can still be told. */
  fail(reason: string): void {
    if (this.isOpen()) this.subject.error(new Error(reason));
  }

  private requireOpen(): void {
    if (!this.isOpen()) throw new Error('The connection to the server was lost.');
  }
}
