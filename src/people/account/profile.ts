import { Injectable } from '@nestjs/common';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { unauthorized } from '../../platform/common/errors/errors.js';
import { UserPreferencesService } from '../user-preferences/user-preferences.service.js';
import { Accounts } from '../users/accounts.js';
import type { ProfileResponseDto } from './account.dto.js';

/** The profile of the calling user, as the user sees and changes it. */
@Injectable()
export class Profile {
  constructor(
    private readonly accounts: Accounts,
    private readonly preferences: UserPreferencesService,
  ) {}

  async get(context: RequestContext): Promise<ProfileResponseDto> {
    const account = await this.accounts.find(context.manager, userIdOf(context.principal));
    if (account === null) throw unauthorized('The account was deleted.');
    const { userDisplayName } = await this.preferences.list(context);
    const { id, tenantId, createdAt, userName, email, emailConfirmed, twoFactorEnabled, passwordHash } = account;
    const names = { userName, email, emailConfirmed, displayName: userDisplayName };
    return { id, tenantId, createdAt, ...names, hasPassword: passwordHash !== null, twoFactorEnabled };
  }

  /** Sets the name that others see; a blank one removes it. */
  async change(context: RequestContext, displayName: string): Promise<ProfileResponseDto> {
    await this.preferences.change(context, { userDisplayName: displayName });
    return this.get(context);
  }
}
