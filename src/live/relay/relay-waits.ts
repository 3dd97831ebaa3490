import { timingSafeEqual } from 'node:crypto';

import type { Upgrade } from '#libs/signalr';

import { RelayRole } from './relay-request.js';

/** One side of a session when it arrives. */
export interface ArrivingHalf {
  readonly session: string;
  readonly role: RelayRole;
  /** SHA-256 of the access token. */
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** Another node, where the partner waits. */
export interface Home {
  /** Hands the upgrade over to that node, which pairs the two. */
  splice(upgrade: Upgrade): void;
}

/** The decision about a half that has arrived. */
export type Meeting = 'wait here' | 'partner is here' | 'wrong token' | 'role taken' | Home;

/**
 * The halves that wait for a partner, by session, and the nodes where they wait. Holds no sockets: those of the halves that wait here are
 * in `RelayPairing`.
 */
export interface RelayWaits {
  /** Registers a half that has to wait, or finds its partner, whose wait ends with that. */
  meet(half: ArrivingHalf): Meeting | Promise<Meeting>;
  /** Ends the wait of a half. */
  leave(session: string, role: RelayRole): void;
}

/** The injection token of {@link RelayWaits}. */
export const RELAY_WAITS = Symbol('RelayWaits');

/** The waits of a service that has one node. */
export class InProcessRelayWaits implements RelayWaits {
  private readonly waiting = new Map<string, ArrivingHalf>();

  meet(half: ArrivingHalf): Meeting {
    const { session, role, tokenHash } = half;
    const first = this.waiting.get(session);
    if (first === undefined) {
      this.waiting.set(session, half);
      return 'wait here';
    }
    // The token first: a client that does not know it learns nothing of the session.
    if (!timingSafeEqual(first.tokenHash, tokenHash)) return 'wrong token';
    if (first.role === role) return 'role taken';
    this.waiting.delete(session);
    return 'partner is here';
  }

  leave(session: string, role: RelayRole): void {
    if (this.waiting.get(session)?.role === role) this.waiting.delete(session);
  }
}
