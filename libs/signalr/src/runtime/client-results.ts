import type { CompletionMessage, Encoding } from '../protocol/messages.js';
import { ClientResultError, ClientResultTimeoutError } from './errors.js';
import type { ClientMethodDescriptor, ClientParameters } from './method-descriptor.js';

/** How long to wait for a client's answer, and what may end the waiting early. */
export interface InvokeOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

interface Pending {
  /** Which call of the server to this client it is, counted from 1. */
  readonly number: number;
  answer(raw: unknown, encoding: Encoding): void;
  reject(error: unknown): void;
}

/** The calls to one client that still wait for their answer. */
export class ClientResults {
  readonly #pending = new Map<string, Pending>();
  #asked = 0;

  get size(): number {
    return this.#pending.size;
  }

  /** How many calls were made so far, answered or not. */
  get asked(): number {
    return this.#asked;
  }

  /** Whether a call still waits that is among the first `upTo` ones, but not among the first `after`. */
  awaitsAnyBetween(after: number, upTo: number): boolean {
    for (const { number } of this.#pending.values()) if (number > after && number <= upTo) return true;
    return false;
  }

  awaits(invocationId: string): boolean {
    return this.#pending.has(invocationId);
  }

  /** Waits for the answer under `invocationId`. Rejects on time-out, on abort, on an error answered, and with {@link failAll}. */
  expect<R>(
    invocationId: string,
    { name, returns }: ClientMethodDescriptor<ClientParameters, R>,
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
      const timer = setTimeout(() => pending.reject(new ClientResultTimeoutError(name, timeoutMs)), timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(invocationId, pending);
    });
  }

  /** Takes an answer; one that nobody waits for (any more) is ignored. A missing or null result is handed on as null. */
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

  failAll(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(error);
  }
}
