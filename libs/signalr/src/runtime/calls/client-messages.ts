import { type CallMessage, type CompletionMessage, type Encoding, type HubMessage, MessageType } from '../../protocol/messages.js';
import { DisconnectedError } from '../errors.js';
import { Calls, type WaitingMessage } from './calls.js';
import { ClientResults } from './client-results.js';
import { type UploadContext, Uploads } from '../streams/uploads.js';

/** The most calls that may wait for their turn while the server waits for an answer or a stream of their client. */
export const MAXIMUM_WAITING_CALLS = 1_000;
/** The same in bytes: those of so many of the largest messages. */
const WAITING_MESSAGES = 4;

/** The connection that messages come from. */
export interface MessagesOwner {
  readonly encoding: Encoding;
  /** True while messages other than awaited answers have to wait, because `onConnected` is not done. */
  readonly isConnecting: boolean;
  /** Carries out a call that has its turn, and that arrived then. */
  dispatch(message: CallMessage, arrivedAt: number): void;
  /** A message about the connection itself. */
  control(message: Exclude<HubMessage, CallMessage | { readonly type: 2 | 3 | 5 }>): void;
  /** The socket may have to be paused, or resumed. */
  updateReading(): void;
}

/**
 * Takes the messages of one client: a call gets its turn or waits for it, an answer reaches the call that waits for it, and items reach
 * their stream. Parts that few connections need are made when they are first used, so that an idle connection stays small.
 */
export class ClientMessages {
  readonly calls: Calls;
  #results: ClientResults | undefined = undefined;
  #uploads: Uploads | undefined = undefined;

  constructor(
    private readonly context: UploadContext,
    private readonly owner: MessagesOwner,
  ) {
    this.calls = new Calls(context);
  }

  /** The calls of the server whose answers have not arrived. */
  get results(): ClientResults {
    return (this.#results ??= new ClientResults());
  }

  /** The streams that the client sends. */
  get uploads(): Uploads {
    return (this.#uploads ??= new Uploads(this.context, this.results, () => this.owner.updateReading()));
  }

  /** True if a stream of the client has no room for more. */
  get hasFullStream(): boolean {
    return this.#uploads?.hasFull === true;
  }

  /**
   * True if calls wait for their turn, so that everything behind them stays unread. While the server itself waits for an answer or a stream
   * of this client, a limited number of calls may wait without holding it up.
   */
  get isBehindCalls(): boolean {
    if (this.calls.waiting === 0) return false;
    const awaitsClient = (this.#results?.size ?? 0) > 0 || (this.#uploads?.size ?? 0) > 0;
    if (!awaitsClient || this.calls.waiting > MAXIMUM_WAITING_CALLS) return true;
    return this.calls.waitingBytes >= this.context.heldRoom.shareOf(WAITING_MESSAGES);
  }

  /** Takes a message of so many bytes that arrived then, and may have waited since. */
  take(message: HubMessage, size: number, arrivedAt: number): void {
    if (this.owner.isConnecting && !this.#isAwaited(message)) return this.#wait({ message, size, arrivedAt });
    switch (message.type) {
      case MessageType.Invocation:
      case MessageType.StreamInvocation:
        return this.calls.takeTurn(message) ? this.owner.dispatch(message, arrivedAt) : this.#wait({ message, size, arrivedAt });
      case MessageType.StreamItem:
        return this.#uploads?.receive(message, this.owner.encoding, size);
      case MessageType.Completion:
        return this.#complete(message);
      case MessageType.CancelInvocation:
        return this.calls.cancel(message.invocationId);
      case MessageType.Close:
      case MessageType.Ping:
      case MessageType.Ack:
      case MessageType.Sequence:
        return this.owner.control(message);
    }
  }

  sweep(time: number): void {
    this.#uploads?.sweep(time);
    // Other clients may have given back room.
    if (this.calls.waiting > 0) this.owner.updateReading();
  }

  /** Rejects all that is awaited and cancels all calls, because the connection has ended. */
  end(reason: string): void {
    // Most connections await nothing, and an error costs a stack: many may end at once.
    if (this.#results !== undefined || this.#uploads !== undefined) {
      const error = new DisconnectedError(reason);
      this.#results?.failAll(error);
      this.#uploads?.failAll(error);
    }
    this.calls.end();
  }

  /** Ends a stream of the client, or answers a call of the server. */
  #complete(message: CompletionMessage): void {
    if (this.#uploads?.complete(message) !== true) this.#results?.settle(message, this.owner.encoding);
  }

  /** True for an answer that the server waits for, which `onConnected` may need to go on. */
  #isAwaited(message: HubMessage): boolean {
    return message.type === MessageType.Completion && this.#results?.awaits(message.invocationId) === true;
  }

  #wait(waiting: WaitingMessage): void {
    this.calls.wait(waiting);
    this.owner.updateReading();
  }
}
