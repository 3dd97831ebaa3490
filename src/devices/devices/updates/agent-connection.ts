import type { KnownDevice } from './known-device.js';

/** Memory of an agent's connection about the device that it speaks for, so that its next update needs no read. */
export interface AgentSession extends KnownDevice {
  readonly deviceId: string;
  /** Age of the memory of connections (`AcceptedUpdates.age`) when this was noted. */
  readonly age: number;
}

/** The connection that an update came through. */
export interface AgentConnection {
  readonly connectionId: string;
  readonly remoteAddress: string | undefined;
  /** True if the agent can still be reached through it. */
  readonly isOpen: boolean;
  /** Set while updates are handled; undefined before the first accepted update. */
  session: AgentSession | undefined;
  /** Set while updates are handled: settles when the last update of this connection has been answered, and never rejects. */
  lastUpdate: Promise<unknown>;
}
