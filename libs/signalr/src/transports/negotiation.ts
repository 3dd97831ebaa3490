import { randomBytes } from 'node:crypto';

/** At least 128 bits, so that neither ids nor tokens can be guessed. */
const CONNECTION_ID_BYTES = 16;
const CONNECTION_TOKEN_BYTES = 24;

const HIGHEST_NEGOTIATE_VERSION = 1;

/** A new connection id, which may be public: the id of the node, a dot, and random text. */
export function newConnectionId(nodeId: string): string {
  return `${nodeId}.${randomBytes(CONNECTION_ID_BYTES).toString('base64url')}`;
}

interface Negotiated {
  readonly client: string;
  readonly connectionId: string;
  readonly expiresAt: number;
  claimed: boolean;
}

/** What became of a token with which a client opens a connection. */
export type Claim = { readonly outcome: 'claimed'; readonly connectionId: string } | { readonly outcome: 'unknown' | 'in use' };

/** How many connections may be negotiated and not opened yet, and for how long. */
export interface NegotiationLimits {
  readonly maximumPendingNegotiations: number;
  readonly maximumPendingNegotiationsPerClient: number;
  readonly negotiationLifetimeMs: number;
}

/** The connections that were negotiated and not opened yet, limited in number, in number for each client, and in age. */
export class NegotiationTable {
  /** By token. All have the same lifetime, so those that expire first come first. */
  readonly #tokens = new Map<string, Negotiated>();
  #unclaimed = 0;
  /** The same by client. */
  readonly #unclaimedBy = new Map<string, number>();

  constructor(
    private readonly nodeId: string,
    private readonly limits: NegotiationLimits,
  ) {}

  /** How many tokens it remembers, used ones included. */
  get size(): number {
    return this.#tokens.size;
  }

  /**
   * Makes a connection id and the secret token that opens it. Undefined when too many wait already, in all or of this client.
   * `now` is in milliseconds.
   */
  create(now: number, client: string): { connectionId: string; connectionToken: string } | undefined {
    this.expire(now);
    // A token that was used has become a connection, which does not count here.
    const ofClient = this.#unclaimedBy.get(client) ?? 0;
    if (this.#unclaimed >= this.limits.maximumPendingNegotiations) return undefined;
    if (ofClient >= this.limits.maximumPendingNegotiationsPerClient) return undefined;
    const connectionId = newConnectionId(this.nodeId);
    const connectionToken = randomBytes(CONNECTION_TOKEN_BYTES).toString('base64url');
    this.#unclaimed += 1;
    this.#unclaimedBy.set(client, ofClient + 1);
    this.#tokens.set(connectionToken, { client, connectionId, expiresAt: now + this.limits.negotiationLifetimeMs, claimed: false });
    return { connectionId, connectionToken };
  }

  /** Uses a token up. It stays known until it expires, so that a second use differs from a token that never was. */
  claim(token: string, now: number): Claim {
    this.expire(now);
    const negotiated = this.#tokens.get(token);
    if (negotiated === undefined) return { outcome: 'unknown' };
    if (negotiated.claimed) return { outcome: 'in use' };
    negotiated.claimed = true;
    this.#settle(negotiated);
    return { outcome: 'claimed', connectionId: negotiated.connectionId };
  }

  /** Forgets tokens whose lifetime is over. */
  expire(now: number): void {
    for (const [token, negotiated] of this.#tokens) {
      if (negotiated.expiresAt > now) return;
      this.#tokens.delete(token);
      if (!negotiated.claimed) this.#settle(negotiated);
    }
  }

  /** A token does not wait any more. */
  #settle({ client }: Negotiated): void {
    this.#unclaimed -= 1;
    const others = (this.#unclaimedBy.get(client) ?? 0) - 1;
    if (others > 0) this.#unclaimedBy.set(client, others);
    else this.#unclaimedBy.delete(client);
  }
}

/** The version that both sides speak, given the query of the negotiate request. Without a valid `negotiateVersion` it is 0. */
export function negotiateVersion(query: string): number {
  const asked = Number(new URLSearchParams(query).get('negotiateVersion') ?? 0);
  return Number.isInteger(asked) && asked >= 0 ? Math.min(asked, HIGHEST_NEGOTIATE_VERSION) : 0;
}

/** The body of a negotiate answer. In version 0 there is one id only, with which the client opens the connection. */
export function negotiateBody(version: number, connectionId: string, connectionToken: string): string {
  const availableTransports = [{ transport: 'WebSockets', transferFormats: ['Text', 'Binary'] }];
  if (version === 0) return JSON.stringify({ negotiateVersion: 0, connectionId: connectionToken, availableTransports });
  return JSON.stringify({ negotiateVersion: version, connectionId, connectionToken, availableTransports });
}
