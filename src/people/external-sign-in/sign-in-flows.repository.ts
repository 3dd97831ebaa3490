import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { ExternalSignInFlow } from './external-login.entity.js';

/** Key by which a pending sign-in flow is found. */
export interface PassageKey {
  readonly provider: string;
  readonly hashedState: Buffer;
  readonly hashedBrowser: Buffer;
}

/** Deletes it, so that of several callers one gets it. */
const TAKE = `
  DELETE FROM external_passages WHERE hashed_state = $1 AND hashed_browser = $2 AND provider = $3 AND expires_at > $4
  RETURNING nonce, code_verifier AS "codeVerifier", return_path AS "returnPath", is_persistent AS "isPersistent",
    purpose, session_id AS "sessionId"`;

/** Those that expired, and the oldest beyond the bounds. */
const MAKE_ROOM = `
  DELETE FROM external_passages WHERE id IN (
    SELECT id FROM external_passages WHERE id IN (
      SELECT id FROM external_passages WHERE expires_at <= $1
      UNION ALL (SELECT id FROM external_passages WHERE address_block = $2 ORDER BY created_at DESC OFFSET $3)
      UNION ALL (SELECT id FROM external_passages ORDER BY created_at DESC OFFSET $4)
    ) FOR UPDATE SKIP LOCKED)`;

/** The SQL of sign-in flows at providers. */
@Injectable()
export class SignInFlowsRepository {
  insert(manager: EntityManager, flow: ExternalSignInFlow): Promise<unknown> {
    return manager.insert(ExternalSignInFlow, flow);
  }

  /** Removes a pending flow and returns it; null when there is none. */
  async take(
    manager: EntityManager,
    { hashedState, hashedBrowser, provider }: PassageKey,
    now: Date,
  ): Promise<Pick<ExternalSignInFlow, 'nonce' | 'codeVerifier' | 'returnPath' | 'isPersistent' | 'purpose' | 'sessionId'> | null> {
    const [rows] = await manager.query<[ExternalSignInFlow[], number]>(TAKE, [hashedState, hashedBrowser, provider, now]);
    return rows[0] ?? null;
  }

  /** Leaves at most so many pending flows, the newest, of an address and in all. */
  async makeRoom(manager: EntityManager, now: Date, addressBlock: string, ofAddress: number, inAll: number): Promise<void> {
    await manager.query(MAKE_ROOM, [now, addressBlock, ofAddress, inAll]);
  }
}
