import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { hashSecret } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { plainRecoveryCode, stepOf } from './one-time-codes.js';
import { Authenticator } from './two-factor.entity.js';

/** A proof besides the password. */
export interface SecondProof {
  /** Of the authenticator app. */
  readonly twoFactorCode?: string | null;
  /** Counts if both are sent. */
  readonly recoveryCode?: string | null;
}

/** Accepts a code of the step once, also when it is sent several times at once. */
const ACCEPT_STEP = `
  UPDATE authenticators SET last_step = $2
  WHERE user_id = $1 AND confirmed_at IS NOT NULL AND (last_step IS NULL OR last_step < $2) RETURNING user_id`;

const USE_RECOVERY_CODE = `
  WITH used AS (DELETE FROM recovery_codes WHERE user_id = $1 AND hashed_code = $2 RETURNING id)
  SELECT (SELECT count(*) FROM recovery_codes WHERE user_id = $1)::integer - 1 AS left FROM used`;

/** Checks the second factor of a sign-in. Each code works once. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Checks a code of the user's authenticator app. */
  async acceptsCode(userId: string, code: string): Promise<boolean> {
    const authenticator = await this.dataSource.manager.findOneBy(Authenticator, { userId });
    if (authenticator === null) return false;
    const step = stepOf(authenticator.secret, code, this.clock.milliseconds());
    if (step === null) return false;
    const [rows] = await this.dataSource.query<[unknown[], number]>(ACCEPT_STEP, [userId, step]);
    return rows.length > 0;
  }

  /** Uses up a recovery code; returns how many are left, or null when the user has no such code. */
  async useRecoveryCode(userId: string, code: string): Promise<number | null> {
    const rows = await this.dataSource.query<{ left: number }[]>(USE_RECOVERY_CODE, [userId, hashSecret(plainRecoveryCode(code))]);
    return rows[0]?.left ?? null;
  }
}
