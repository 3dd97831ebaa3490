import type { HubConnection } from '#libs/signalr';

import type { Principal } from '../../../../access/authentication/principals/principal.js';
import type { Standing } from '../../../../access/authorization/revocation/standing-rights.js';
import type { ActivityActor } from '../../../../devices/device-activity/device-activities.js';
import type { AgentPlace } from '../../../../devices/device-link/agent-place.js';

const SIGNED_OUT = 'The credential of this connection is not valid any more.';

/** A terminal that a viewer uses. */
export interface Terminal {
  readonly deviceId: string;
  readonly terminalId: string;
  /** The agent's place when it was used last. */
  agent: AgentPlace | undefined;
  /** Watches over the right to use it. */
  readonly standing: Standing;
}

/** A conversation with the person at a device. */
export interface Chat {
  readonly deviceId: string;
  readonly sessionId: string;
  /** The process that shows it. */
  processId: number;
  /** The agent's place when the viewer wrote last. */
  agent: AgentPlace | undefined;
  /** Watches over the right to chat. */
  readonly standing: Standing;
}

/** Names a terminal among those of all devices. */
export function terminalKey(deviceId: string, terminalId: string): string {
  return `${deviceId} ${terminalId}`;
}

/** A viewer's connection: its principal, the devices it subscribed to, and its terminals and conversations on each device. */
export class ConnectedViewer {
  /** The devices that it hears of, by id, each with the watch over its right to. */
  readonly subscriptions = new Map<string, Standing>();
  /** The terminals that it uses, by key, the one that was used longest ago first (`viewer-terminals.ts`). */
  readonly terminals = new Map<string, Terminal>();
  /** Its conversations, by key, the one that was used longest ago first (`viewer-chats.ts`). */
  readonly chats = new Map<string, Chat>();
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

  /** The acting principal in audit records. */
  get actor(): ActivityActor {
    const { principal, connectionId, connection } = this;
    return { principal, requestId: connectionId, remoteAddress: connection.remoteAddress ?? null };
  }

  /** Disconnects the viewer, because its credential has ended. */
  signOut(): void {
    this.connection.close({ error: SIGNED_OUT });
  }

  /** The terminal of this id on the device, if the viewer uses it. */
  terminal(deviceId: string, terminalId: string): Terminal | undefined {
    return this.terminals.get(terminalKey(deviceId, terminalId));
  }
}
