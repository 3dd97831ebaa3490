import { Subject } from '@microsoft/signalr';

/**
 * The items of one call on their way to the server. The client library queues each item behind a promise of its own, and a
 * rejection there would end the process. Items are therefore handed over only while the socket is open.
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
    // A refusal also means that nobody reads. A lost connection is noticed at the next item.
    call().then(answered, answered);
  }

  /** True if the server has answered the call and so reads no more items. */
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

  /** Sends the server the reason for the stream's early end, if it is still connected. */
  fail(reason: string): void {
    if (this.isOpen()) this.subject.error(new Error(reason));
  }

  private requireOpen(): void {
    if (!this.isOpen()) throw new Error('The connection to the server was lost.');
  }
}
