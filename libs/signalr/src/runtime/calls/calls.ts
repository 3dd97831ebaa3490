import { type CallMessage, type HubMessage, MessageType } from '../../protocol/messages.js';
import type { HeldRoom } from '../limits/held-room.js';
import type { HubLimits } from '../limits/hub-limits.js';

/** A call that its client can cancel. */
export interface CancellableCall {
  /** Absent when the client wants no answer: then only the end of the connection cancels the call. */
  readonly invocationId: string | undefined;
  cancel(): void;
}

/** The parts of their hub that calls need. */
export interface CallsContext {
  readonly limits: HubLimits;
  readonly heldRoom: HeldRoom;
}

/** A message that waits for its turn, its bytes, and the time at which it arrived, by the scheduler's clock in milliseconds. */
export interface WaitingMessage {
  readonly message: HubMessage;
  readonly size: number;
  readonly arrivedAt: number;
}

/**
 * The calls of one client. A limited number runs at once; the others wait for their turn, in their order. Calls with streams
 * take no turn: they last long, and what they wait for comes through the same socket. Their streams are limited instead.
 */
export class Calls {
  #running = 0;
  #waiting: WaitingMessage[] | undefined = undefined;
  #waitingBytes = 0;
  #isStarting = false;
  #streams = 0;
  #cancellable: Map<string | CancellableCall, CancellableCall> | undefined = undefined;
  #haveEnded = false;

  constructor(private readonly context: CallsContext) {}

  /** The number of messages that wait for their turn. */
  get waiting(): number {
    return this.#waiting?.length ?? 0;
  }

  /** The bytes of these messages. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** True while {@link startWaiting} is at work. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  /** Takes a turn for a call. False when none is free, so that the call has to wait. */
  takeTurn(message: CallMessage): boolean {
    if (!needsTurn(message)) return true;
    if (this.#running >= this.context.limits.parallelInvocations) return false;
    this.#running++;
    return true;
  }

  /** Gives back the turn of a call. True when a message that waits may start now. */
  returnTurn(): boolean {
    this.#running--;
    return this.#waiting !== undefined && !this.#isStarting;
  }

  /** Lets a message wait behind those that wait already. */
  wait(waiting: WaitingMessage): void {
    if (this.#haveEnded) return;
    (this.#waiting ??= []).push(waiting);
    this.#hold(waiting.size);
  }

  /** Hands over the messages that wait while turns are free and `mayGoOn` allows: one after the other, also when each call is done at once. */
  startWaiting(accept: (waiting: WaitingMessage) => void, mayGoOn: () => boolean): void {
    this.#isStarting = true;
    while (this.#waiting !== undefined && this.#running < this.context.limits.parallelInvocations && mayGoOn()) {
      const next = this.#waiting.shift();
      if (this.#waiting.length === 0) this.#waiting = undefined;
      if (next === undefined) continue;
      this.#hold(-next.size);
      accept(next);
    }
    this.#isStarting = false;
  }

  /** Takes all messages that wait. */
  takeWaiting(): readonly WaitingMessage[] {
    const waiting = this.#waiting ?? [];
    this.#dropWaiting();
    return waiting;
  }

  /** Takes room for the streams of a call until it is done. False when there is too little. */
  reserveStreams(count: number): boolean {
    if (count > 0 && this.#streams + count > this.context.limits.maximumStreams) return false;
    this.#streams += count;
    return true;
  }

  releaseStreams(count: number): void {
    this.#streams -= count;
  }

  /** Lets the client's cancellation and the end of the connection reach `call`. */
  track(call: CancellableCall): void {
    if (this.#haveEnded) return call.cancel();
    this.#cancellable ??= new Map();
    // Of two calls with the same id, the client can cancel the first one. The end of the connection reaches both.
    const key = call.invocationId === undefined || this.#cancellable.has(call.invocationId) ? call : call.invocationId;
    this.#cancellable.set(key, call);
  }

  untrack(call: CancellableCall): void {
    const key = call.invocationId !== undefined && this.#cancellable?.get(call.invocationId) === call ? call.invocationId : call;
    this.#cancellable?.delete(key);
  }

  /** True if a call with this id can be cancelled, so that no other one may use the id. */
  isTracked(invocationId: string): boolean {
    return this.#cancellable?.has(invocationId) ?? false;
  }

  /** Cancels one call. Does nothing when there is none with this id. */
  cancel(invocationId: string): void {
    this.#cancellable?.get(invocationId)?.cancel();
  }

  /** Cancels all calls that run and drops those that wait, because the connection has ended. */
  end(): void {
    this.#haveEnded = true;
    this.#dropWaiting();
    this.#cancellable?.forEach((call) => call.cancel());
    this.#cancellable = undefined;
  }

  #dropWaiting(): void {
    this.#waiting = undefined;
    this.#hold(-this.#waitingBytes);
  }

  #hold(bytes: number): void {
    this.#waitingBytes += bytes;
    this.context.heldRoom.take(bytes);
  }
}

/** True if a call takes one of the limited turns. */
export function needsTurn(message: CallMessage): boolean {
  return message.type === MessageType.Invocation && message.streamIds === undefined;
}
