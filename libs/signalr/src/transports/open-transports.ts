import type { Transport } from './transport.js';

interface Open {
  readonly token: string;
  readonly transport: Transport;
}

/** The transports of connections that were opened with a token, which their clients may show again. */
export class OpenTransports {
  readonly #byId = new Map<string, Open>();

  add(connectionId: string, token: string, transport: Transport): void {
    this.#byId.set(connectionId, { token, transport });
  }

  find(connectionId: string): Transport | undefined {
    return this.#byId.get(connectionId)?.transport;
  }

  /** Removes the transport of a connection that has ended. @returns the token that opened it; undefined when it was opened without */
  remove(connectionId: string): string | undefined {
    const open = this.#byId.get(connectionId);
    this.#byId.delete(connectionId);
    return open?.token;
  }

  /** Checks the open transports for clients that are away or do not read. */
  sweep(): void {
    for (const { transport } of this.#byId.values()) transport.sweep?.();
  }
}
