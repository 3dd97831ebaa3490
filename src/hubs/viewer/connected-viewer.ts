import type { HubConnection } from '#libs/signalr';

import type { Principal } from '../../authentication/principal.js';
import type { Standing } from '../../authorization/standing-rights.js';
import type { ActivityActor } from '../../device-activity/device-activities.js';
import { BoundedMap } from '../../common/bounded-map.js';

const SIGNED_OUT = 'The credential of this connection is not valid any more.';
/** Terminals that are kept of one viewer. Beyond, the one that was used longest ago is forgotten. */
const MAXIMUM_TERMINALS = 256;

/** A viewer's connection: who it is, which devices it subscribed to, and which terminals it uses on which device. */
export class ConnectedViewer {
  /** The devices that it hears of, by id, each with what watches over its right to. */
  readonly subscriptions = new Map<string, Standing>();
  private readonly terminals = new BoundedMap<string, string>(MAXIMUM_TERMINALS);

  /** Ends the connection when its credential ends. */
  readonly signIn: Standing;

  private constructor(readonly connection: HubConnection<Principal>) {
    this.signIn = { principal: connection.user, end: () => this.signOut() };
  }

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

  /** Who acts, as audit records say it. */
  get actor(): ActivityActor {
    const { principal, connectionId, connection } = this;
    return { principal, requestId: connectionId, remoteAddress: connection.remoteAddress ?? null };
  }

  /** Disconnects the viewer, because its credential has ended. */
  signOut(): void {
    this.connection.abort(SIGNED_OUT);
  }

  /** Notes that the viewer uses a terminal of a device, so that its output may come back. */
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
