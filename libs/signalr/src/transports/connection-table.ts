import { randomBytes } from 'node:crypto';
import type { Claim, Claimant, ConnectionHomes, Negotiated, NegotiationRequest } from './connection-homes.js';

/** At least 128 bits, so that neither ids nor tokens can be guessed. */
const CONNECTION_ID_BYTES = 16;
const CONNECTION_TOKEN_BYTES = 24;

const UNKNOWN: Claim = { outcome: 'unknown' };

/** A new connection id, which may be public: the id of the node, a dot, and random text. */
export function newConnectionId(nodeId: string): string {
  return `${nodeId}.${randomBytes(CONNECTION_ID_BYTES).toString('base64url')}`;
}

/** Limits of the connections that are negotiated and not opened yet: their numbers and their lifetime. */
export interface NegotiationLimits {
  readonly maximumPendingNegotiations: number;
  readonly maximumPendingNegotiationsPerClient: number;
  readonly negotiationLifetimeMs: number;
}

interface Pending extends NegotiationRequest {
  readonly connectionId: string;
  readonly expiresAt: number;
}

interface Open {
  readonly connectionId: string;
  readonly userId: string | undefined;
}

/**
 * The negotiated connections of a hub that has one node. The number of those that wait to be opened is limited, in all and per client, and
 * so is their wait.
 */
export class ConnectionTable implements ConnectionHomes {
  /** By token. All have the same lifetime, so those that expire first come first. */
  readonly #pending = new Map<string, Pending>();
  readonly #pendingBy = new Map<string, number>();
  /** By token, until they end. */
  readonly #open = new Map<string, Open>();

  /** @param now a clock in milliseconds */
  constructor(
    private readonly nodeId: string,
    private readonly limits: NegotiationLimits,
    private readonly now: () => number,
  ) {}

  /** The number of tokens that it remembers. */
  get size(): number {
    return this.#pending.size + this.#open.size;
  }

  issue(request: NegotiationRequest): Negotiated | undefined {
    this.sweep();
    const { client, version } = request;
    const ofClient = this.#pendingBy.get(client) ?? 0;
    if (this.#pending.size >= this.limits.maximumPendingNegotiations) return undefined;
    if (ofClient >= this.limits.maximumPendingNegotiationsPerClient) return undefined;
    const connectionId = newConnectionId(this.nodeId);
    const token = version === 0 ? connectionId : randomBytes(CONNECTION_TOKEN_BYTES).toString('base64url');
    this.#pendingBy.set(client, ofClient + 1);
    this.#pending.set(token, { ...request, connectionId, expiresAt: this.now() + this.limits.negotiationLifetimeMs });
    return { connectionId, token };
  }

  claim(token: string, { userId, opens }: Claimant): Claim {
    this.sweep();
    const open = this.#open.get(token);
    if (open !== undefined) return open.userId === userId ? { outcome: 'open', connectionId: open.connectionId } : UNKNOWN;
    const pending = this.#pending.get(token);
    if (pending === undefined || pending.userId !== userId || !opens) return UNKNOWN;
    const { connectionId, stays } = pending;
    this.#forget(token, pending);
    this.#open.set(token, { connectionId, userId });
    return { outcome: 'new', connectionId, stays };
  }

  ended(token: string): void {
    this.#open.delete(token);
  }

  sweep(): void {
    const now = this.now();
    for (const [token, pending] of this.#pending) {
      if (pending.expiresAt > now) return;
      this.#forget(token, pending);
    }
  }

  #forget(token: string, { client }: Pending): void {
    this.#pending.delete(token);
    const others = (this.#pendingBy.get(client) ?? 0) - 1;
    if (others > 0) this.#pendingBy.set(client, others);
    else this.#pendingBy.delete(client);
  }
}
