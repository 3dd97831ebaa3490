import { createHmac } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { newGuid } from '../../../platform/common/identifiers/guid.js';
import { hashSecret, newSecret, secretMatches } from '../../../platform/common/identifiers/secret.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import { ServerSecrets } from '../server-secrets/server-secrets.js';
import type { Visitor } from '../visitors/visitors.js';
import { formatAccessToken, formatRefreshToken, parseRefreshToken } from './bearer-token.js';
import { Session, SignInMethod } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';

/** The tokens of a session, which are shown only once. */
export interface BearerTokens {
  readonly accessToken: string;
  /** Seconds for which the access token can be used. */
  readonly expiresIn: number;
  readonly refreshToken: string;
}

/** Outcome of a refresh: new tokens, nothing, or the end of a session whose former refresh token was used again. */
export type RefreshOutcome =
  | { readonly kind: 'Refreshed'; readonly tokens: BearerTokens }
  | { readonly kind: 'Refused' }
  | { readonly kind: 'Replayed'; readonly userId: string };

/** Anything whose SQL runs in the transaction of a change. */
type Tx = InTransaction<{ readonly manager: EntityManager }>;

/** A secret as it is sent, and its stored form. */
interface Made<T> {
  readonly secret: string;
  readonly stored: T;
}

type MadeAccess = Made<Pick<Session, 'hashedSecret' | 'accessExpiresAt' | 'lastUsedAt'>>;
type MadeRefresh = Made<Pick<Session, 'hashedRefresh' | 'refreshExpiresAt' | 'expiresAt'>>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * Time for which a refresh token may be used again, in milliseconds: by a program that did not get the answer, or whose parts refresh at
 * once (ruling 48).
 */
const REUSE_MS = 30_000;

/**
 * Gives programs tokens for their sessions, which are otherwise those of `sessions.ts`. An access token lives for minutes, also when newer
 * ones are given out. A refresh token works once, for two new ones, and within 30 s again for the same new refresh token. A later use ends
 * the session, because one of the two that have the token has stolen it.
 */
@Injectable()
export class BearerSessions {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly secrets: ServerSecrets,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Opens a session. The user's row must be locked, so that the stamp is the present one. */
  async open({ manager }: Tx, user: { readonly id: string; readonly securityStamp: string }, visitor: Visitor): Promise<BearerTokens> {
    const id = newGuid();
    const lineage = newSecret();
    const access = this.newAccess();
    const refresh = this.refreshOf(newSecret());
    await manager.insert(Session, {
      id,
      createdAt: this.clock.now(),
      userId: user.id,
      securityStamp: user.securityStamp,
      method: SignInMethod.Bearer,
      isPersistent: true,
      provenAt: this.clock.now(),
      remoteAddress: visitor.remoteAddress,
      userAgent: visitor.userAgent,
      logonTokenId: null,
      hashedLineage: hashSecret(lineage),
      ...access.stored,
      ...refresh.stored,
    });
    return this.tokens(id, lineage, access, refresh);
  }

  /**
   * Exchanges a refresh token for new tokens. Parallel calls with one token get the same refresh token, and an access token each. A use
   * after more than 30 s ends the session.
   */
  async refresh({ manager, transaction }: Tx, refreshToken: string): Promise<RefreshOutcome> {
    const token = parseRefreshToken(refreshToken);
    const stored = token === null ? null : await this.repository.lockRefreshable(manager, token.sessionId);
    if (token === null || stored === null || !secretMatches(token.lineage, stored.hashedLineage)) return { kind: 'Refused' };
    const { sessionId, lineage, secret } = token;
    transaction.touch(Topic.Credential, sessionId);
    const now = this.clock.now();
    const isPresent = secretMatches(secret, stored.hashedRefresh);
    const again = isPresent ? null : await this.repository.formerRefreshUntil(manager, sessionId, hashSecret(secret));
    if (!isPresent && (again === null || again <= now)) {
      await manager.delete(Session, { id: sessionId });
      return { kind: 'Replayed', userId: stored.userId };
    }
    if (stored.refreshExpiresAt <= now) return { kind: 'Refused' };
    const [access, refresh] = [this.newAccess(), this.refreshOf(this.successor(sessionId, secret))];
    await this.repository.keepFormer(manager, sessionId, hashSecret(secret), new Date(now.getTime() + REUSE_MS), now);
    await manager.update(Session, { id: sessionId }, { ...access.stored, ...(isPresent ? refresh.stored : {}) });
    return { kind: 'Refreshed', tokens: this.tokens(sessionId, lineage, access, refresh) };
  }

  /**
   * The secret of the next refresh token. It is made from the present one, so that a second use gives the same; with a secret of the
   * server, so that the thief of a token cannot make those that follow.
   */
  private successor(sessionId: string, secret: string): string {
    return createHmac('sha512', this.secrets.of('RefreshTokens')).update(`${sessionId}.${secret}`).digest('base64url');
  }

  private newAccess(): MadeAccess {
    const now = this.clock.milliseconds();
    const ends = now + this.settings.appOptions.interactiveBearerTokenExpirationMinutes * MINUTE_MS;
    const secret = newSecret();
    return { secret, stored: { hashedSecret: hashSecret(secret), accessExpiresAt: new Date(ends), lastUsedAt: new Date(now) } };
  }

  private refreshOf(secret: string): MadeRefresh {
    const { interactiveBearerTokenExpirationMinutes, interactiveRefreshTokenExpirationDays } = this.settings.appOptions;
    const now = this.clock.milliseconds();
    const ends = now + interactiveRefreshTokenExpirationDays * DAY_MS;
    const accessEnds = now + interactiveBearerTokenExpirationMinutes * MINUTE_MS;
    const expiresAt = new Date(Math.max(accessEnds, ends));
    return { secret, stored: { hashedRefresh: hashSecret(secret), refreshExpiresAt: new Date(ends), expiresAt } };
  }

  private tokens(sessionId: string, lineage: string, access: MadeAccess, refresh: MadeRefresh): BearerTokens {
    return {
      accessToken: formatAccessToken({ sessionId, secret: access.secret }),
      expiresIn: this.settings.appOptions.interactiveBearerTokenExpirationMinutes * 60,
      refreshToken: formatRefreshToken({ sessionId, lineage, secret: refresh.secret }),
    };
  }
}
