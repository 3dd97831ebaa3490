import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { newGuid } from '../../../platform/common/identifiers/guid.js';
import { formatKey, hashSecret, newSecret, parseKey, secretMatches } from '../../../platform/common/identifiers/secret.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import { InvalidationBus, type InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import { KeyedCache } from '../../../platform/database/invalidation/keyed-cache.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { CredentialUsage } from '../credentials/credential-usage.js';
import type { Principal, UserPrincipal } from '../principals/principal.js';
import type { CredentialStanding } from '../schemes/authentication-scheme.js';
import type { Visitor } from '../visitors/visitors.js';
import { parseAccessToken } from './bearer-token.js';
import { Session, type SignInMethod } from './session.entity.js';
import { SessionsRepository, type StoredSession } from './sessions.repository.js';

/** The user of a new session, the way of signing in, and its lifetime. */
export interface NewSession {
  readonly user: { readonly id: string; readonly securityStamp: string };
  readonly method: SignInMethod;
  readonly isPersistent: boolean;
  readonly visitor: Visitor;
  /** For sessions of logon tokens: the token that limits the session, and when it ends. */
  readonly logonToken?: { readonly id: string; readonly sessionEnds: Date };
}

/** A session that was just opened. */
export interface OpenedSession {
  readonly id: string;
  /** The value of its cookie, which is shown nowhere else. */
  readonly cookie: string;
  readonly isPersistent: boolean;
  readonly expiresAt: Date;
}

/** Anything whose SQL runs in the transaction of a change. */
type Tx = InTransaction<{ readonly manager: EntityManager }>;

const DAY_MS = 24 * 60 * 60 * 1000;
const CACHED_SESSIONS = 20_000;
/** Sessions that one statement removes. */
const REMOVAL_BATCH = 1_000;
const NOBODY = Buffer.alloc(32);

/**
 * The sessions of browsers, and of programs that use bearer tokens (`bearer-sessions.ts`). A session is opened by a sign-in, found by the
 * secret in the cookie or in the access token, and over when it ends, when a browser has not used it for long, when a user ends it, or when
 * the user's stamp changes. A session that was read is kept until it or its user is written.
 */
@Injectable()
export class Sessions implements InvalidationListener {
  private readonly cache: KeyedCache<StoredSession | null>;

  constructor(
    private readonly repository: SessionsRepository,
    private readonly usage: CredentialUsage,
    private readonly settings: Settings,
    private readonly clock: Clock,
    invalidations: InvalidationBus,
  ) {
    this.cache = new KeyedCache('sessions', CACHED_SESSIONS, () => invalidations.isListening);
    invalidations.subscribe(this);
  }

  /** Opens the session of a browser. The user's row must be locked, so that the stamp is the present one. */
  async open({ manager }: Tx, { user, method, isPersistent, visitor, logonToken }: NewSession): Promise<OpenedSession> {
    const now = this.clock.now();
    const secret = newSecret();
    const id = newGuid();
    const expiresAt = logonToken?.sessionEnds ?? new Date(now.getTime() + this.settings.appOptions.sessionLifetimeDays * DAY_MS);
    await manager.insert(Session, {
      id,
      createdAt: now,
      userId: user.id,
      hashedSecret: hashSecret(secret),
      securityStamp: user.securityStamp,
      method,
      isPersistent,
      expiresAt,
      lastUsedAt: now,
      provenAt: now,
      remoteAddress: visitor.remoteAddress,
      userAgent: visitor.userAgent,
      logonTokenId: logonToken?.id ?? null,
      accessExpiresAt: null,
      hashedLineage: null,
      hashedRefresh: null,
      refreshExpiresAt: null,
    });
    return { id, cookie: formatKey(id, secret), isPersistent, expiresAt };
  }

  /** The user behind the value of a cookie; null when it opens no session. Counts as a use. */
  async principalOf(cookie: string): Promise<UserPrincipal | null> {
    const key = parseKey(cookie);
    const stored = key === null ? null : await this.verified(key.credentialId, key.secret);
    return stored === null || isOfProgram(stored) ? null : this.used(stored);
  }

  /** The same for an access token of a program. */
  async principalOfToken(accessToken: string): Promise<UserPrincipal | null> {
    const token = parseAccessToken(accessToken);
    const stored = token === null ? null : await this.verified(token.sessionId, token.secret);
    return stored === null || !isOfProgram(stored) ? null : this.used(stored);
  }

  /** Checks whether a session is open. */
  async isOpen(id: string): Promise<boolean> {
    const stored = await this.find(id);
    return stored !== null && !this.isOver(stored);
  }

  /** Returns the standing of a session as a connection to the database sees it. */
  async standingIn(manager: EntityManager, id: string): Promise<CredentialStanding> {
    const stored = await this.repository.find(id, manager);
    if (stored === null || this.isOver(stored)) return { isValid: false, expiresAt: null };
    // The session of a browser continues as long as it is used.
    return { isValid: true, expiresAt: stored.principal.credential.type === 'Session' ? null : new Date(stored.expiresAt) };
  }

  /** The open sessions of a user, the last used first. */
  list(manager: EntityManager, userId: string, limit: number): Promise<Session[]> {
    const now = this.clock.now();
    return this.repository.list(manager, userId, { now, idleSince: this.idleSince(now) }, limit);
  }

  /** Stores that the user of a session has proved their identity. */
  async prove({ manager, transaction }: Tx, id: string): Promise<void> {
    await manager.update(Session, { id }, { provenAt: this.clock.now() });
    transaction.touch(Topic.Credential, id);
  }

  /** Ends one session of a user; false when the user has no such session. */
  async end({ manager, transaction }: Tx, userId: string, id: string): Promise<boolean> {
    const { affected } = await manager.delete(Session, { id, userId });
    transaction.touch(Topic.Credential, id);
    return affected === 1;
  }

  /** Ends all sessions of a user but one, and returns how many. */
  async endOthers({ manager, transaction }: Tx, userId: string, exceptId: string | null): Promise<number> {
    const ended = await this.repository.removeOthers(manager, userId, exceptId);
    for (const id of ended) transaction.touch(Topic.Credential, id);
    return ended.length;
  }

  /** Keeps the caller's session although the stamp of its user changed: the change was made in it. Other credentials have none. */
  async keepCallers(tx: Tx & { readonly principal: Principal }, securityStamp: string): Promise<void> {
    const id = sessionIdOf(tx.principal);
    if (id !== null) await this.keep(tx, id, securityStamp);
  }

  /** Keeps a session although the stamp of its user changed: the change was made in it. */
  async keep({ manager, transaction }: Tx, id: string, securityStamp: string): Promise<void> {
    await manager.update(Session, { id }, { securityStamp, provenAt: this.clock.now() });
    transaction.touch(Topic.Credential, id);
  }

  /** Deletes the rows of sessions that are over, and returns how many. */
  async removeEnded(manager: EntityManager, signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
      const now = this.clock.now();
      batch = await this.repository.removeEnded(manager, now, this.idleSince(now), REMOVAL_BATCH);
    }
    return removed;
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Credential) this.cache.forget(id);
    if (topic === Topic.CredentialOwner) this.cache.forgetWhere((session) => session !== null && dependsOn(session.principal, id));
  }

  forgetAll(): void {
    this.cache.clear();
  }

  /** Finds a session. One that seems unused may have been used on another node, which its row knows. */
  private async find(id: string): Promise<StoredSession | null> {
    const known = await this.cache.get(id, () => this.repository.find(id));
    if (known === null || !this.isIdle(known)) return known;
    this.cache.forget(id);
    return this.cache.get(id, () => this.repository.find(id));
  }

  /** An open session, if the secret is that of its cookie or access token; else null. */
  private async verified(id: string, secret: string): Promise<StoredSession | null> {
    const stored = await this.find(id);
    const matches = secretMatches(secret, stored?.hashedSecret ?? NOBODY);
    if (stored === null || this.isOver(stored)) return null;
    return matches || this.isFormerAccess(stored, secret) ? stored : null;
  }

  private isFormerAccess({ formerAccess }: StoredSession, secret: string): boolean {
    const now = this.clock.milliseconds();
    return formerAccess.some(({ hashedSecret, expiresAt }) => expiresAt > now && secretMatches(secret, hashedSecret));
  }

  private used(stored: StoredSession): UserPrincipal {
    stored.lastUsedAt = this.clock.milliseconds();
    this.usage.note('sessions', stored.id);
    return stored.principal;
  }

  private isOver(session: StoredSession): boolean {
    return (session.accessExpiresAt ?? session.expiresAt) <= this.clock.milliseconds() || this.isIdle(session);
  }

  /** Checks whether a browser has not used its session for too long. Sessions of programs end with their refresh token instead. */
  private isIdle(session: StoredSession): boolean {
    return !isOfProgram(session) && session.lastUsedAt <= this.idleSince(this.clock.now()).getTime();
  }

  private idleSince(now: Date): Date {
    return new Date(now.getTime() - this.settings.appOptions.sessionIdleDays * DAY_MS);
  }
}

/** Checks whether a session is that of the user, or was opened by a logon token that the user made. */
function dependsOn({ id, credential }: UserPrincipal, userId: string): boolean {
  return id === userId || (credential.type === 'LogonToken' && credential.maker?.id === userId);
}

function isOfProgram({ accessExpiresAt }: StoredSession): boolean {
  return accessExpiresAt !== null;
}

/** The session in which a principal acts, in a browser or with bearer tokens; null for other credentials. */
export function sessionIdOf(principal: Principal): string | null {
  if (principal.type !== 'User') return null;
  return principal.credential.type === 'Bearer' ? principal.credential.id : browserSessionIdOf(principal);
}

/** The session of the browser in which a principal acts; null for other credentials. */
export function browserSessionIdOf(principal: Principal): string | null {
  if (principal.type !== 'User') return null;
  const { credential } = principal;
  if (credential.type === 'Session') return credential.id;
  return credential.type === 'LogonToken' ? credential.sessionId : null;
}
