import { Injectable } from '@nestjs/common';

import { userIdOf, tenantOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { invalidField, unauthorized } from '../../platform/common/errors/errors.js';
import { AccountMails } from '../mail/account-mails.js';
import { Accounts } from '../users/accounts.js';
import { normalizeName } from '../users/user-name.js';
import { UsersService } from '../users/users.service.js';

/** Lets users delete their own account. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly accounts: Accounts,
    private readonly users: UsersService,
    private readonly securityLog: SecurityLog,
    private readonly mails: AccountMails,
  ) {}

  /**
   * Deletes the account of the calling user, with its sessions, tokens, memberships and assignments, and tells the user by mail. 400
   * unless the user repeats the e-mail address, and for the last administrator of the tenant or of the server.
   */
  async run(context: RequestContext, repeatedEmail: string, origin: SecurityOrigin): Promise<void> {
    const { principal, manager } = context;
    const account = await this.accounts.find(manager, userIdOf(principal));
    const tenantId = tenantOf(principal);
    if (account === null || tenantId === null) throw unauthorized('The account was deleted.');
    if (normalizeName(repeatedEmail.trim()) !== normalizeName(account.email ?? account.userName)) {
      throw invalidField('email', 'email must be the address of your account, to make sure that you mean it.');
    }
    await this.users.removeOwn({ ...context, tenantId }, (tx) =>
      this.securityLog.write(tx.manager, { user: account, kind: 'AccountDeleted' }, origin),
    );
    this.mails.accountDeleted(account, origin);
  }
}
