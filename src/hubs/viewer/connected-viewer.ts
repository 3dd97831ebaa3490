import type { HubConnection } from '#libs/signalr';

import type { Principal } from '../../authentication/principal.js';
import { BoundedMap } from '../../common/bounded-map.js';

/** Most terminals of one viewer that are tracked. The one that was unused for the longest time is dropped. */
const MAXIMUM_TERMINALS = 256;

/** A viewer's connection: who it is, which devices it subscribed to, and which terminals it uses on which device. */
export class ConnectedViewer {
  readonly subscriptions = new Set<string>();
  private readonly terminals = new BoundedMap<string, string>(MAXIMUM_TERMINALS);

  private constructor(readonly connection: HubConnection<Principal>) {}

  /**
   * The viewer of a connection of the viewer hub, whose users are principals (configure-hubs.ts); always the same
   * object for one connection.
   */
  static of(connection: HubConnection): ConnectedViewer {
    if (!(connection.state instanceof ConnectedViewer)) connection.state = new ConnectedViewer(connection as HubConnection<Principal>);
    return connection.state as ConnectedViewer;
  }

  get connectionId(): string {
    return this.connection.connectionId;
  }

  get principal(): Principal {
    return this.connection.user;
  }

  /** Notes that the viewer uses a terminal of a device, so that output may be sent to it. */
  usesTerminal(terminalId: string, deviceId: string): void {
    // It was used last now, so that the others are dropped before it.
    this.terminals.delete(terminalId);
    this.terminals.set(terminalId, deviceId);
  }

  /** Whether the viewer uses that terminal of that device. */
  hasTerminal(terminalId: string, deviceId: string): boolean {
    return this.terminals.get(terminalId) === deviceId;
  }

  /** Notes that the viewer closed the terminal. */
  forgetTerminal(terminalId: string): void {
    this.terminals.delete(terminalId);
  }
}
