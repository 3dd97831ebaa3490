import { Client } from 'undici';

import { KEEP_ALIVE_TIMEOUT_MS } from '../../../platform/http/connections/slow-clients.js';

/** Time-out of opening a connection to another node, in milliseconds. */
export const CONNECT_MS = 3_000;
/** Most idle connections to a node that are kept. */
export const MAXIMUM_IDLE = 64;
/** Time for which an idle connection is kept, in milliseconds. The other node keeps it longer, so that it never closes one that gets a request. */
export const IDLE_MS = KEEP_ALIVE_TIMEOUT_MS / 2;

/** One message at a time, and no time-outs but those of nodes: a poll waits as long as its home lets it. */
const CLIENT_OPTIONS: Client.Options = {
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MS,
  connectTimeout: CONNECT_MS,
};

/** A client of undici, which has one connection at most. */
export interface ShortConnection {
  readonly origin: string;
  readonly client: Client;
}

/** Connections to other nodes for short messages. Those without a message under way are kept as long as they are open. */
export class ShortConnections {
  /** Connections without a message under way, by origin. */
  private readonly idle = new Map<string, ShortConnection[]>();

  /** Takes a connection for one message. It has to be given back. */
  take(origin: string): ShortConnection {
    return this.idle.get(origin)?.pop() ?? this.open(origin);
  }

  /** Keeps a connection for the next message if it may be used again, and closes it otherwise. */
  giveBack(connection: ShortConnection, mayBeUsed: boolean): void {
    const { origin, client } = connection;
    const idle = this.idle.get(origin) ?? [];
    if (!mayBeUsed || idle.length >= MAXIMUM_IDLE) return void client.destroy();
    idle.push(connection);
    this.idle.set(origin, idle);
  }

  /** Closes the idle connections. */
  close(): void {
    for (const idle of this.idle.values()) for (const { client } of idle) void client.destroy();
  }

  private open(origin: string): ShortConnection {
    const connection = { origin, client: new Client(origin, CLIENT_OPTIONS) };
    // A node that comes back has another address.
    connection.client.on('disconnect', () => this.forget(connection));
    return connection;
  }

  private forget(connection: ShortConnection): void {
    const rest = this.idle.get(connection.origin)?.filter((kept) => kept !== connection) ?? [];
    if (rest.length > 0) this.idle.set(connection.origin, rest);
    else this.idle.delete(connection.origin);
  }
}
