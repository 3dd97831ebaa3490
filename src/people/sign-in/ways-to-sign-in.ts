import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import { conflict } from '../../platform/common/errors/errors.js';
import type { InTransaction } from '../../platform/database/queries/unit-of-work.js';
import type { Account } from '../users/accounts.js';

/** A way to sign in besides the password, of which a user has any number. */
export interface WayToSignIn {
  /** Checks that the user can sign in in this way now. */
  isOpenTo(manager: EntityManager, userId: string, origin: SecurityOrigin): Promise<boolean>;
}

const LAST_WAY = 'This is your only way to sign in. Add another one first: a passkey, a login at another provider, or a password.';

/** Knows all ways to sign in. The modules of passkeys and of logins at other providers add theirs. */
@Injectable()
export class WaysToSignIn {
  private readonly ways: WayToSignIn[] = [];

  add(way: WayToSignIn): void {
    this.ways.push(way);
  }

  /**
   * 409 when an account has no way to sign in left, after the transaction has taken one away. The account must be locked, so that of two
   * concurrent changes the second one sees the ways that the first has left.
   */
  async requireOne({ manager }: InTransaction<{ manager: EntityManager }>, account: Account, origin: SecurityOrigin): Promise<void> {
    if (account.passwordHash !== null) return;
    for (const way of this.ways) if (await way.isOpenTo(manager, account.id, origin)) return;
    throw conflict(LAST_WAY);
  }
}
