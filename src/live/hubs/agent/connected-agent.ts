import type { HubConnection, Invocation } from '#libs/signalr';
import { hubParameter } from '#libs/signalr/nest';

import type { AgentConnection, AgentSession } from '../../../devices/devices/updates/accepted-updates.js';
import { OrphanedTerminals } from './orphaned-terminals.js';
import { ReportRequests } from './report-requests.js';

/** Most calls of one agent that may wait without holding up its later calls. An honest agent has one or two. */
export const MAXIMUM_ASIDE = 16;

/** An agent's connection, and the device that it speaks for. */
export class ConnectedAgent implements AgentConnection {
  session: AgentSession | undefined = undefined;
  lastUpdate: Promise<unknown> | undefined = undefined;
  private orphaned: OrphanedTerminals | undefined = undefined;
  private requests: ReportRequests | undefined = undefined;
  /** Calls that wait now without holding up later ones. */
  private aside = 0;

  private constructor(readonly connection: HubConnection) {}

  /** The agent of a connection of the agent hub; always the same object for one connection. */
  static of(connection: HubConnection): ConnectedAgent {
    if (!(connection.state instanceof ConnectedAgent)) connection.state = new ConnectedAgent(connection);
    return connection.state as ConnectedAgent;
  }

  /** The terminals whose output no viewer reads. Made on first use: most agents have no terminal. */
  get orphanedTerminals(): OrphanedTerminals {
    return (this.orphaned ??= new OrphanedTerminals());
  }

  /** True if the agent has sent the output of a terminal over this connection. */
  get hasHadTerminal(): boolean {
    return this.orphaned !== undefined;
  }

  /** A report of the agent was stored. */
  reportStored(): void {
    this.requests?.stored();
  }

  /** A report of the agent could not be stored: it is asked for another one. */
  reportFailed(): void {
    this.requests ??= new ReportRequests(this.connection);
    this.requests.failed();
  }

  /**
   * Does the work of a call that waits for anything but the agent, without holding up the calls behind it. When too many go on like that,
   * it holds them up, and its agent with them: nothing else bounds their number.
   */
  async besideOthers<T>(call: Invocation, work: () => Promise<T>): Promise<T> {
    if (this.aside >= MAXIMUM_ASIDE) return work();
    this.aside += 1;
    call.yieldTurn();
    try {
      return await work();
    } finally {
      this.aside -= 1;
    }
  }

  get connectionId(): string {
    return this.connection.connectionId;
  }

  get isOpen(): boolean {
    return this.connection.isOpen;
  }

  get remoteAddress(): string | undefined {
    return this.connection.remoteAddress;
  }
}

/** The agent that calls. */
export const Agent = (): ParameterDecorator => hubParameter(({ connection }) => ConnectedAgent.of(connection));
