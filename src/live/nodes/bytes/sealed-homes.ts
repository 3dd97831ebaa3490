import { createHmac, timingSafeEqual } from 'node:crypto';

import {
  type Claim,
  type Claimant,
  type ConnectionHomes,
  ConnectionTable,
  type Home,
  type HomesOptions,
  type Negotiated,
  type NegotiationRequest,
  newConnectionId,
} from '#libs/signalr';

import { BoundedMap } from '../../../platform/common/collections/bounded-map.js';

const UNKNOWN: Claim = { outcome: 'unknown' };
const USER_HASH_BYTES = 16;
/** Most tokens of other nodes that are kept. */
const MAXIMUM_ELSEWHERE = 2_000;

/** Form of a sealed token: what it holds, and its code of 32 bytes. */
const SEALED = /^([\w-]{1,512})\.([\w-]{43})$/;
/** Form of a connection id: its node, and 16 random bytes. */
const CONNECTION_ID = /^([\w-]{1,64})\.[\w-]{22}$/;

/** The contents of a token. */
interface Sealed {
  readonly connectionId: string;
  readonly stays: boolean;
  /** By the database's clock, in milliseconds. */
  readonly expiresAt: number;
  readonly user: string | null;
}

interface Open {
  readonly connectionId: string;
  readonly userId: string | undefined;
  readonly expiresAt: number;
}

/** The node of a hub, as its homes need it. */
export interface HomesOwner {
  /** The secret that seals tokens, the same on all nodes. */
  readonly secret: Buffer;
  /** The database's clock, in milliseconds. */
  databaseTime(): number;
  /** Another node as a home. */
  homeAt(nodeId: string): Home;
}

/**
 * The negotiated connections of a hub that several nodes serve. A token holds its connection, sealed, so that every node knows it. A plain
 * WebSocket opens at any node. What its client comes back to stays at the node that has negotiated: long polling, event streams, and
 * WebSockets that outlive their sockets. The client of version 0 of the negotiation shows the id of its connection, which stays as well.
 *
 * Nothing is kept for a connection until it is opened, so that the limits of those that wait hold for version 0 only: each of the others
 * costs its client a request, and no memory. A client that polls shows its token again and again: each node keeps some of those that it
 * has unsealed for another one, which then authenticates the client alone.
 */
export class SealedHomes implements ConnectionHomes {
  /** Connections of version 0. */
  readonly #plain: ConnectionTable;
  /** Connections that were opened here, by token, until they end. */
  readonly #open = new Map<string, Open>();
  /** Tokens of connections that have ended here, and the times at which they expire. */
  readonly #ended = new Map<string, number>();
  /** Nodes of connections that belong elsewhere, by tokens that their clients have shown. */
  readonly #elsewhere = new BoundedMap<string, string>(MAXIMUM_ELSEWHERE);

  constructor(
    private readonly hub: HomesOptions,
    private readonly owner: HomesOwner,
  ) {
    this.#plain = new ConnectionTable(hub.nodeId, hub.limits, hub.now);
  }

  issue(request: NegotiationRequest): Negotiated | undefined {
    if (request.version === 0) return this.#plain.issue(request);
    const connectionId = newConnectionId(this.hub.nodeId);
    const expiresAt = Math.round(this.owner.databaseTime()) + this.hub.limits.negotiationLifetimeMs;
    const contents = [connectionId, request.stays, expiresAt, this.#hashOf(request.userId)];
    const text = Buffer.from(JSON.stringify(contents)).toString('base64url');
    return { connectionId, token: `${text}.${this.#codeOf(text)}` };
  }

  knownElsewhere(token: string): Home | undefined {
    const nodeId = this.#open.has(token) ? undefined : this.#elsewhere.get(token);
    return nodeId === undefined ? undefined : this.owner.homeAt(nodeId);
  }

  claim(token: string, by: Claimant): Claim {
    const open = this.#open.get(token);
    if (open !== undefined) return open.userId === by.userId ? { outcome: 'open', connectionId: open.connectionId } : UNKNOWN;
    const plain = CONNECTION_ID.exec(token)?.[1];
    if (plain !== undefined) return plain === this.hub.nodeId ? this.#plain.claim(token, by) : this.#at(plain);
    const sealed = this.#unseal(token);
    if (sealed === null || sealed.user !== this.#hashOf(by.userId)) return UNKNOWN;
    const nodeId = sealed.connectionId.split('.', 1)[0];
    const staysAtHome = sealed.stays || !by.isWebSocket;
    if (!staysAtHome || nodeId === this.hub.nodeId) return this.#begin(token, sealed, by);
    if (!by.isWebSocket) this.#elsewhere.set(token, nodeId);
    return this.#at(nodeId);
  }

  ended(token: string): void {
    const open = this.#open.get(token);
    if (open === undefined) return this.#plain.ended(token);
    this.#open.delete(token);
    this.#ended.set(token, open.expiresAt);
  }

  sweep(): void {
    this.#plain.sweep();
    const now = this.owner.databaseTime();
    for (const [token, expiresAt] of this.#ended) if (expiresAt < now) this.#ended.delete(token);
  }

  #begin(token: string, { connectionId, stays, expiresAt }: Sealed, { userId, opens }: Claimant): Claim {
    if (!opens || expiresAt < this.owner.databaseTime() || this.#ended.has(token)) return UNKNOWN;
    this.#open.set(token, { connectionId, userId, expiresAt });
    return { outcome: 'new', connectionId, stays };
  }

  #at(nodeId: string): Claim {
    return { outcome: 'elsewhere', home: this.owner.homeAt(nodeId) };
  }

  #unseal(token: string): Sealed | null {
    const [, text, code] = SEALED.exec(token) ?? [];
    // Texts are compared, so that a connection has one token: several texts stand for the same bytes.
    if (text === undefined || code === undefined || !timingSafeEqual(Buffer.from(code), Buffer.from(this.#codeOf(text)))) return null;
    // Only a node could seal it.
    const contents = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, boolean, number, string | null];
    const [connectionId, stays, expiresAt, user] = contents;
    return { connectionId, stays, expiresAt, user };
  }

  /** The code of a token's contents, which is another one at another hub. */
  #codeOf(text: string): string {
    return createHmac('sha256', this.owner.secret).update(`${this.hub.path}\n${text}`).digest('base64url');
  }

  #hashOf(userId: string | undefined): string | null {
    if (userId === undefined) return null;
    const hash = createHmac('sha256', this.owner.secret).update(`user\n${userId}`).digest();
    return hash.subarray(0, USER_HASH_BYTES).toString('base64url');
  }
}
