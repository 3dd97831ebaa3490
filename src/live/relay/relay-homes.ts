import type { Upgrade } from '#libs/signalr';

/** Another node, where a session is at home. */
export interface Home {
  /** Hands the upgrade over to that node, which pairs the two. */
  splice(upgrade: Upgrade): void;
}

/** The injection token of {@link RelayHomes}. A service of one node provides nothing under it. */
export const RELAY_HOMES = Symbol('RelayHomes');

/**
 * The nodes that sessions are at home at: the one where a viewer has asked for the session, else the one where its first half waits. Only the
 * home decides about a half, because only it knows who asked, and which record and right the session has.
 */
export interface RelayHomes {
  /** The other node that a session is at home at; null when it is here, or nowhere yet. */
  find(sessionId: string): Promise<Home | null>;
  /** Makes this node the home of a session whose first half waits here. Returns the other node that has become it in between, or null. */
  claim(sessionId: string): Promise<Home | null>;
  /** Takes a session home that a viewer asks for here. A half that waits at another node comes over. False when the id is taken. */
  take(sessionId: string): Promise<boolean>;
  /** Makes the id of a session free that nobody has asked for. */
  free(sessionId: string): void;
  /** Keeps the id of a requested session closed for so many milliseconds after its end. */
  over(sessionId: string, closedMs: number): void;
}
