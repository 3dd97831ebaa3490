import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { ServerSecrets } from '../../access/authentication/server-secrets/server-secrets.js';
import { unauthorized } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { PasskeyChallengesRepository } from './passkey-challenges.repository.js';
import { readChallenge, signChallenge, type ChallengeUse, type SignedChallenge } from './signed-challenge.js';

/** Time within which a challenge may be answered. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

/** Challenges that one statement removes. */
const REMOVAL_BATCH = 1_000;

/**
 * The challenges that authenticators sign. A challenge carries its end and a signature of the service, so that asking for one stores
 * nothing: visitors who ask for many fill no disk. Only a challenge that was answered rightly is stored, until it expires, so that it
 * is answered once. Any node reads the challenges of another.
 */
@Injectable()
export class PasskeyChallenges {
  private readonly key: Buffer;

  constructor(
    private readonly repository: PasskeyChallengesRepository,
    private readonly clock: Clock,
    secrets: ServerSecrets,
  ) {
    this.key = secrets.of('PasskeyChallenges');
  }

  /** A new challenge for one use. */
  issue(use: ChallengeUse): Buffer {
    return signChallenge(this.key, use, new Date(this.clock.milliseconds() + CHALLENGE_LIFETIME_MS));
  }

  /** Reads a challenge that was answered; null when the service did not make it for this use, or when it has expired. */
  read(use: ChallengeUse, text: string): SignedChallenge | null {
    return readChallenge(this.key, use, text, this.clock.now());
  }

  /** Uses up a challenge, in the transaction that its answer allows; false when it was used before. */
  useUp(manager: EntityManager, challenge: SignedChallenge): Promise<boolean> {
    return this.repository.useUp(manager, challenge);
  }

  /** Deletes the rows of challenges that have expired, and returns how many. */
  async removeExpired(manager: EntityManager, signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
      batch = await this.repository.removeExpired(manager, this.clock.now(), REMOVAL_BATCH);
    }
    return removed;
  }
}

/** 401 for an answer to a challenge that does not count. */
export const staleChallenge = (): Error =>
  unauthorized('The challenge has expired, was already answered, or was created for another browser. Request new options.');
