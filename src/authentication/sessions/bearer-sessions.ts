import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Clock } from '../../common/clock.js';
import { newGuid } from '../../common/guid.js';
import { hashSecret, newSecret, secretMatches } from '../../common/secret.js';
import { Settings } from '../../config/settings.js';
import { Topic } from '../../database/invalidation-topics.js';
import type { InTransaction } from '../../database/unit-of-work.js';
import type { Visitor } from '../visitors.js';
import { formatAccessToken, formatRefreshToken, parseRefreshToken } from './bearer-token.js';
import { Session, SignInMethod } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';

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
type Renewal = Pick<Session, 'hashedSecret' | 'accessExpiresAt' | 'hashedRefresh' | 'refreshExpiresAt' | 'expiresAt' | 'lastUsedAt'>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Gives programs tokens for their sessions, which are otherwise those of `sessions.ts`. An access token lives for minutes. A refresh token
 * works once, for two new ones: whoever uses a former one ends the session, because one of the two who have it has stolen it.
 */
@Injectable()
export class BearerSessions {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Opens a session. The user's row must be locked, so that the stamp is the present one. */
  async open({ manager }: Tx, user: { readonly id: string; readonly securityStamp: string }, visitor: Visitor): Promise<BearerTokens> {
    const id = newGuid();
    const lineage = newSecret();
    const { tokens, renewal } = this.renew(id, lineage);
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
      ...renewal,
    });
    return tokens;
  }

  /** Exchanges a refresh token for new tokens. Of parallel calls with one token the first succeeds, and the next one ends the session. */
  async refresh({ manager, transaction }: Tx, refreshToken: string): Promise<RefreshOutcome> {
    const token = parseRefreshToken(refreshToken);
    const stored = token === null ? null : await this.repository.lockRefreshable(manager, token.sessionId);
    if (token === null || stored === null || !secretMatches(token.lineage, stored.hashedLineage)) return { kind: 'Refused' };
    const { sessionId, lineage, secret } = token;
    transaction.touch(Topic.Credential, sessionId);
    if (!secretMatches(secret, stored.hashedRefresh)) {
      await manager.delete(Session, { id: sessionId });
      return { kind: 'Replayed', userId: stored.userId };
    }
    if (stored.refreshExpiresAt.getTime() <= this.clock.milliseconds()) return { kind: 'Refused' };
    const { tokens, renewal } = this.renew(sessionId, lineage);
    await manager.update(Session, { id: sessionId }, renewal);
    return { kind: 'Refreshed', tokens };
  }

  private renew(sessionId: string, lineage: string): { readonly tokens: BearerTokens; readonly renewal: Renewal } {
    const { interactiveBearerTokenExpirationMinutes, interactiveRefreshTokenExpirationDays } = this.settings.appOptions;
    const now = this.clock.milliseconds();
    const [access, refresh] = [newSecret(), newSecret()];
    const accessEnds = now + interactiveBearerTokenExpirationMinutes * MINUTE_MS;
    const refreshEnds = now + interactiveRefreshTokenExpirationDays * DAY_MS;
    return {
      tokens: {
        accessToken: formatAccessToken({ sessionId, secret: access }),
        expiresIn: interactiveBearerTokenExpirationMinutes * 60,
        refreshToken: formatRefreshToken({ sessionId, lineage, secret: refresh }),
      },
      renewal: {
        hashedSecret: hashSecret(access),
        accessExpiresAt: new Date(accessEnds),
        hashedRefresh: hashSecret(refresh),
        refreshExpiresAt: new Date(refreshEnds),
        expiresAt: new Date(Math.max(accessEnds, refreshEnds)),
        lastUsedAt: new Date(now),
      },
    };
  }
}
