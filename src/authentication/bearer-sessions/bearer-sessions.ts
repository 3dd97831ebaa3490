import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Clock } from '../../common/clock.js';
import { newGuid } from '../../common/guid.js';
import { hashSecret, newSecret, secretMatches } from '../../common/secret.js';
import { Settings } from '../../config/settings.js';
import { InvalidationBus, type InvalidationListener } from '../../database/invalidation-bus.js';
import { Topic } from '../../database/invalidation-topics.js';
import { KeyedCache } from '../../database/keyed-cache.js';
import type { InTransaction } from '../../database/unit-of-work.js';
import type { UserPrincipal } from '../principal.js';
import type { CredentialStanding } from '../schemes/authentication-scheme.js';
import type { Visitor } from '../visitors.js';
import { BearerSession } from './bearer-session.entity.js';
import { BearerSessionsRepository, type StoredBearerSession } from './bearer-sessions.repository.js';
import { formatAccessToken, formatRefreshToken, parseAccessToken, parseRefreshToken } from './bearer-token.js';

/** The tokens of a session, which are shown this once. */
export interface BearerTokens {
  readonly accessToken: string;
  /** Seconds for which the access token can be used. */
  readonly expiresIn: number;
  readonly refreshToken: string;
}

/** What came of a refresh token: new tokens, nothing, or the end of a session whose former token somebody used again. */
export type RefreshOutcome =
  | { readonly kind: 'Refreshed'; readonly tokens: BearerTokens }
  | { readonly kind: 'Refused' }
  | { readonly kind: 'Replayed'; readonly userId: string };

/** Anything whose SQL runs in the transaction of a change. */
type Tx = InTransaction<{ readonly manager: EntityManager }>;

/** What changes whenever tokens are made. */
type Renewal = Pick<BearerSession, 'hashedAccess' | 'accessExpiresAt' | 'hashedRefresh' | 'refreshExpiresAt'>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CACHED_SESSIONS = 20_000;
/** Sessions that one statement removes. */
const REMOVAL_BATCH = 1_000;
const NOBODY = Buffer.alloc(32);

/**
 * The sessions of programs that sign users in and get bearer tokens. An access token lives for minutes. A refresh token works once, for
 * two new ones: whoever uses a former one ends the session, because one of the two who have it has stolen it. Like the session of a
 * browser, it ends when the user's stamp changes, and one that was read is kept until it or its user is written.
 */
@Injectable()
export class BearerSessions implements InvalidationListener {
  private readonly cache: KeyedCache<StoredBearerSession | null>;

  constructor(
    private readonly repository: BearerSessionsRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
    invalidations: InvalidationBus,
  ) {
    this.cache = new KeyedCache(CACHED_SESSIONS, () => invalidations.isListening);
    invalidations.subscribe(this);
  }

  /** Opens a session. The user's row must be locked, so that the stamp is the present one. */
  async open({ manager }: Tx, user: { readonly id: string; readonly securityStamp: string }, visitor: Visitor): Promise<BearerTokens> {
    const id = newGuid();
    const lineage = newSecret();
    const { tokens, renewal } = this.renew(id, lineage);
    await manager.insert(BearerSession, {
      id,
      createdAt: this.clock.now(),
      userId: user.id,
      securityStamp: user.securityStamp,
      hashedLineage: hashSecret(lineage),
      ...renewal,
      remoteAddress: visitor.remoteAddress,
      userAgent: visitor.userAgent,
    });
    return tokens;
  }

  /** Exchanges a refresh token for new tokens. Of parallel calls with one token the first succeeds, and the next one ends the session. */
  async refresh({ manager, transaction }: Tx, refreshToken: string): Promise<RefreshOutcome> {
    const token = parseRefreshToken(refreshToken);
    const stored = token === null ? null : await this.repository.lock(manager, token.sessionId);
    if (token === null || stored === null || !secretMatches(token.lineage, stored.hashedLineage)) return { kind: 'Refused' };
    const { sessionId, lineage, secret } = token;
    transaction.touch(Topic.Credential, sessionId);
    if (!secretMatches(secret, stored.hashedRefresh)) {
      await manager.delete(BearerSession, { id: sessionId });
      return { kind: 'Replayed', userId: stored.userId };
    }
    if (stored.refreshExpiresAt.getTime() <= this.clock.milliseconds()) return { kind: 'Refused' };
    const { tokens, renewal } = this.renew(sessionId, lineage);
    await manager.update(BearerSession, { id: sessionId }, renewal);
    return { kind: 'Refreshed', tokens };
  }

  /** The user behind an access token; null when it opens no session. */
  async principalOf(accessToken: string): Promise<UserPrincipal | null> {
    const token = parseAccessToken(accessToken);
    if (token === null) return null;
    const stored = await this.find(token.sessionId);
    const matches = secretMatches(token.secret, stored?.hashedAccess ?? NOBODY);
    return stored !== null && matches && this.isOpenNow(stored) ? stored.principal : null;
  }

  /** Whether a session is open: until its access token expires, unless it is refreshed before. */
  async isOpen(id: string): Promise<boolean> {
    const stored = await this.find(id);
    return stored !== null && this.isOpenNow(stored);
  }

  /** How a session stands as a connection to the database sees it. What its user makes may outlive it, as with other ways to sign in. */
  async standingIn(manager: EntityManager, id: string): Promise<CredentialStanding> {
    const stored = await this.repository.find(id, manager);
    return { isValid: stored !== null && this.isOpenNow(stored), expiresAt: null };
  }

  /** Ends a session of a user. */
  async end({ manager, transaction }: Tx, userId: string, id: string): Promise<void> {
    await manager.delete(BearerSession, { id, userId });
    transaction.touch(Topic.Credential, id);
  }

  /** Lets a session go on although the stamp of its user changed: the change was made in it. */
  async keep({ manager, transaction }: Tx, id: string, securityStamp: string): Promise<void> {
    await manager.update(BearerSession, { id }, { securityStamp });
    transaction.touch(Topic.Credential, id);
  }

  /** Deletes the rows of sessions that are over, and returns how many. */
  async removeEnded(manager: EntityManager, signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
      batch = await this.repository.removeEnded(manager, this.clock.now(), REMOVAL_BATCH);
    }
    return removed;
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Credential) this.cache.forget(id);
    if (topic === Topic.CredentialOwner) this.cache.forgetWhere((session) => session?.principal.id === id);
  }

  forgetAll(): void {
    this.cache.clear();
  }

  private find(id: string): Promise<StoredBearerSession | null> {
    return this.cache.get(id, () => this.repository.find(id));
  }

  private isOpenNow({ accessExpiresAt }: StoredBearerSession): boolean {
    return accessExpiresAt > this.clock.milliseconds();
  }

  private renew(sessionId: string, lineage: string): { readonly tokens: BearerTokens; readonly renewal: Renewal } {
    const { interactiveBearerTokenExpirationMinutes, interactiveRefreshTokenExpirationDays } = this.settings.appOptions;
    const now = this.clock.milliseconds();
    const [access, refresh] = [newSecret(), newSecret()];
    return {
      tokens: {
        accessToken: formatAccessToken({ sessionId, secret: access }),
        expiresIn: interactiveBearerTokenExpirationMinutes * 60,
        refreshToken: formatRefreshToken({ sessionId, lineage, secret: refresh }),
      },
      renewal: {
        hashedAccess: hashSecret(access),
        accessExpiresAt: new Date(now + interactiveBearerTokenExpirationMinutes * MINUTE_MS),
        hashedRefresh: hashSecret(refresh),
        refreshExpiresAt: new Date(now + interactiveRefreshTokenExpirationDays * DAY_MS),
      },
    };
  }
}
