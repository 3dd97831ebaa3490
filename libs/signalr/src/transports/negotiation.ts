import { randomBytes } from 'node:crypto';

/** 128 bits and more: neither ids nor tokens can be guessed. */
const CONNECTION_ID_BYTES = 16;
const CONNECTION_TOKEN_BYTES = 24;

const HIGHEST_NEGOTIATE_VERSION = 1;

/** A fresh public connection id: the node that holds the connection, a dot, and random text. */
export function newConnectionId(nodeId: string): string {
  return `${nodeId}.${randomBytes(CONNECTION_ID_BYTES).toString('base64url')}`;
}

interface Negotiated {
  readonly connectionId: string;
  readonly expiresAt: number;
  claimed: boolean;
}

/** What a token that is shown at the upgrade turns out to be. */
export type Claim = { readonly outcome: 'claimed'; readonly connectionId: string } | { readonly outcome: 'unknown' | 'in use' };

/** The connections that were negotiated but not opened yet: bounded in number and in age. */
export class NegotiationTable {
  /** By token; all live equally long, so the oldest come first. */
  readonly #tokens = new Map<string, Negotiated>();
  #unclaimed = 0;

  constructor(
    private readonly nodeId: string,
    private readonly maximum: number,
    private readonly lifetimeMs: number,
  ) {}

  get size(): number {
    return this.#tokens.size;
  }

  /** Makes a connection id and the secret token that opens it; undefined when too many wait already. */
  create(now: number): { connectionId: string; connectionToken: string } | undefined {
    this.expire(now);
    // A token that was used has become a connection: only those count that still wait.
    if (this.#unclaimed >= this.maximum) return undefined;
    const connectionId = newConnectionId(this.nodeId);
    const connectionToken = randomBytes(CONNECTION_TOKEN_BYTES).toString('base64url');
    this.#unclaimed += 1;
    this.#tokens.set(connectionToken, { connectionId, expiresAt: now + this.lifetimeMs, claimed: false });
    return { connectionId, connectionToken };
  }

  /** Uses up a token. It stays known until it expires, so that a second use can be told from an invented one. */
  claim(token: string, now: number): Claim {
    this.expire(now);
    const negotiated = this.#tokens.get(token);
    if (negotiated === undefined) return { outcome: 'unknown' };
    if (negotiated.claimed) return { outcome: 'in use' };
    negotiated.claimed = true;
    this.#unclaimed -= 1;
    return { outcome: 'claimed', connectionId: negotiated.connectionId };
  }

  /** Forgets what is past its lifetime. */
  expire(now: number): void {
    for (const [token, negotiated] of this.#tokens) {
      if (negotiated.expiresAt > now) return;
      this.#tokens.delete(token);
      if (!negotiated.claimed) this.#unclaimed -= 1;
    }
  }
}

/** The version that both sides speak, given the client's `negotiateVersion` (none means 0). */
export function negotiateVersion(query: string): number {
  const asked = Number(new URLSearchParams(query).get('negotiateVersion') ?? 0);
  return Number.isInteger(asked) && asked >= 0 ? Math.min(asked, HIGHEST_NEGOTIATE_VERSION) : 0;
}

/** The body of a negotiate answer. Version 0 knows only one id, which is the one in the URL. */
export function negotiateBody(version: number, connectionId: string, connectionToken: string): string {
  const availableTransports = [{ transport: 'WebSockets', transferFormats: ['Text', 'Binary'] }];
  if (version === 0) return JSON.stringify({ negotiateVersion: 0, connectionId: connectionToken, availableTransports });
  return JSON.stringify({ negotiateVersion: version, connectionId, connectionToken, availableTransports });
}
