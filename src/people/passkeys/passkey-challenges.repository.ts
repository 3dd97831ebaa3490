import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SignedChallenge } from './signed-challenge.js';

const USE_UP = 'INSERT INTO used_passkey_challenges (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id';

const REMOVE_EXPIRED = `
  DELETE FROM used_passkey_challenges WHERE ctid = ANY (ARRAY(SELECT ctid FROM used_passkey_challenges WHERE expires_at <= $1 LIMIT $2))`;

/** The SQL of used challenges. */
@Injectable()
export class PasskeyChallengesRepository {
  /** Stores that a challenge was answered; false when it was before. Of two transactions at once, the second waits for the first. */
  async useUp(manager: EntityManager, { id, expiresAt }: SignedChallenge): Promise<boolean> {
    const rows = await manager.query<object[]>(USE_UP, [id, expiresAt]);
    return rows.length === 1;
  }

  /** Deletes challenges that have expired, at most so many, and returns how many. */
  async removeExpired(manager: EntityManager, now: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_EXPIRED, [now, limit]);
    return count;
  }
}
