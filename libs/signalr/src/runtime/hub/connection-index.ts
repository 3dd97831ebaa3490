import type { Connection } from '../connection/connection.js';

/** Connections by a key that several of them share, such as a group or a user. */
export class ConnectionIndex {
  readonly #members = new Map<string, Set<Connection>>();

  add(key: string, connection: Connection): void {
    const members = this.#members.get(key);
    if (members === undefined) this.#members.set(key, new Set([connection]));
    else members.add(connection);
  }

  /** Does nothing when the connection is not there. */
  remove(key: string, connection: Connection): void {
    const members = this.#members.get(key);
    if (members?.delete(connection) === true && members.size === 0) this.#members.delete(key);
  }

  /** The connections of any of these keys, each once. */
  ofAny(keys: readonly string[]): Iterable<Connection> {
    return keys.length === 1 ? this.of(keys[0]) : new Set(keys.flatMap((key) => [...this.of(key)]));
  }

  /** The connections of a key; none if no connection has it. */
  of(key: string): Iterable<Connection> {
    return this.#members.get(key) ?? [];
  }
}
