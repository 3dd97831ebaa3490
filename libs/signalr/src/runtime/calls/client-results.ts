import type { Frame, HubProtocol } from '../../protocol/hub-protocol.js';
import type { CompletionMessage, Encoding } from '../../protocol/messages.js';
import { timerMs } from '../../transports/longest-timer.js';
import { ClientResultError, ClientResultTimeoutError } from '../errors.js';
import type { WireType } from '../wire-type.js';

/** The past of a call to a client. */
export interface SendOptions {
  /**
   * The time since which the call has waited, by `performance.now()`; now by default. The limit `longestPauseMs` counts from it. A call that
   * has waited for longer already must not be made: it would end the connection.
   */
  readonly since?: number | undefined;
}

/** The longest wait for a client's answer. */
export interface InvokeOptions extends SendOptions {
  /** In milliseconds. Default: the limit `clientResultTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Ends the waiting when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A call that a client has to answer. */
export interface ClientQuestion<R> {
  readonly name: string;
  readonly method: AnsweredMethod<R>;
  /** @throws TypeError when a value has no form in the protocol */
  write(protocol: HubProtocol, invocationId: string): Frame;
}

/** A method of the client, by its name and its answer. */
export interface AnsweredMethod<R> {
  readonly name: string;
  readonly returns?: WireType<R>;
}

interface Pending {
  /** The number of the call among all calls to this client, counted from 1. */
  readonly number: number;
  answer(raw: unknown, encoding: Encoding): void;
  reject(error: unknown): void;
}

/** The server's calls to one client whose answers have not arrived. */
export class ClientResults {
  readonly #pending = new Map<string, Pending>();
  #asked = 0;

  /** The number of calls that wait for their answer. */
  get size(): number {
    return this.#pending.size;
  }

  /** The number of calls made so far. */
  get asked(): number {
    return this.#asked;
  }

  /** True if a call waits whose number is greater than `after` and at most `upTo`. */
  awaitsAnyBetween(after: number, upTo: number): boolean {
    for (const { number } of this.#pending.values()) if (number > after && number <= upTo) return true;
    return false;
  }

  /** True if a call with this id waits for its answer. */
  awaits(invocationId: string): boolean {
    return this.#pending.has(invocationId);
  }

  /** Waits for the answer to the call `invocationId`. Rejects when it is late, is an error, or can no longer come. */
  expect<R>(
    invocationId: string,
    { name, returns }: AnsweredMethod<R>,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<R | null> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#pending.delete(invocationId);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const pending: Pending = {
        number: ++this.#asked,
        answer(raw, encoding) {
          settle();
          resolve(raw === null || returns === undefined ? null : returns.decode(raw, encoding));
        },
        reject(error) {
          settle();
          reject(error);
        },
      };
      const onAbort = (): void => pending.reject(signal?.reason);
      const timer = setTimeout(() => pending.reject(new ClientResultTimeoutError(name, timeoutMs)), timerMs(timeoutMs));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(invocationId, pending);
    });
  }

  /** Takes an answer. One that no call waits for is ignored; one without a result counts as null. */
  settle(completion: CompletionMessage, encoding: Encoding): void {
    const pending = this.#pending.get(completion.invocationId);
    if (pending === undefined) return;
    if (completion.error !== undefined) return pending.reject(new ClientResultError(completion.error));
    try {
      pending.answer(completion.result ?? null, encoding);
    } catch (error) {
      pending.reject(error);
    }
  }

  /** Rejects all calls that wait. */
  failAll(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(error);
  }
}
