import type { HubConnection } from './hub-connection.js';

/** Connections by a key that several of them share, such as a group or a user. */
export class ConnectionIndex {
  readonly #members = new Map<string, Set<HubConnection>>();

  add(key: string, connection: HubConnection): void {
    const members = this.#members.get(key);
    if (members === undefined) this.#members.set(key, new Set([connection]));
    else members.add(connection);
  }

  /** Does nothing when the connection is not there. */
  remove(key: string, connection: HubConnection): void {
    const members = this.#members.get(key);
    if (members?.delete(connection) === true && members.size === 0) this.#members.delete(key);
  }

  /** The connections of a key; none when nobody has it. */
  of(key: string): Iterable<HubConnection> {
    return this.#members.get(key) ?? [];
  }
}
