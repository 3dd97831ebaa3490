import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { chosenPasswordProblems } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceOf } from '../../access/authentication/passwords/password-source.js';
import { systemContext } from '../../access/authentication/principals/request-context.js';
import { Administrators } from '../../access/authorization/administrators/administrators.js';
import { Settings } from '../../platform/config/settings.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { PersonalAccessTokensService } from '../personal-access-tokens/personal-access-tokens.service.js';
import { isEmailAddress } from '../users/user-name.js';
import { UsersService } from '../users/users.service.js';
import { AccountCreation } from './account-creation.js';

/** Outcome of making the configured administrator, for the operator. */
export interface AdministratorOutcome {
  readonly sentence: string;
  /** True if the operator has to act. */
  readonly isWarning: boolean;
}

const LEFT_ALONE = 'Bootstrap: there are users already; the configured administrator was not looked at.';
const UNADMINISTERED =
  'Registration is open, but no user administers the server, and those who register do not become its administrator ' +
  '(Service_AppOptions__DisableFirstUserSelfRegistration). ';
const CONFIGURE = 'Set Service_Bootstrap__AdminEmail and Service_Bootstrap__AdminPassword, and start again.';
const GRANT = 'Grant a user the preset Server Administrator with the key of a server service account.';
const FIRST_USER =
  'No user exists yet: whoever opens the address of the service and registers first administers it. ' +
  'Service_AppOptions__DisableFirstUserSelfRegistration=true prevents that.';

/** Makes the first user of a new installation from the configuration: the administrator of the server and of a new tenant. */
@Injectable()
export class AdministratorBootstrap {
  constructor(
    private readonly settings: Settings,
    private readonly creation: AccountCreation,
    private readonly users: UsersService,
    private readonly administrators: Administrators,
    private readonly tokens: PersonalAccessTokensService,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Makes the configured administrator while there are no users. Without one, says that the first who registers will be the administrator
   * where that is so, and warns where users can register but none administers the server; else null. Faults of the configured one do not
   * stop a start.
   */
  async run(): Promise<AdministratorOutcome | null> {
    const { administrator } = this.settings.bootstrap;
    if (administrator === null) return this.withoutConfiguration();
    const { email, password, personalAccessToken } = administrator;
    if (await this.users.exist(this.dataSource.manager)) return this.leftAlone();
    const problems = await chosenPasswordProblems(password);
    if (!isEmailAddress(email)) problems.push('The address may have letters, digits and - . _ @ + only.');
    if (problems.length > 0) {
      const sentence =
        'Bootstrap: the first administrator was not made. Correct Service_Bootstrap__AdminEmail or Service_Bootstrap__AdminPassword ' +
        `and start again. ${problems.join(' ')}`;
      return { sentence, isWarning: true };
    }
    const passwordHash = await this.hasher.hash(passwordSourceOf('bootstrap'), password);
    const made = await this.unitOfWork.run(systemContext('bootstrap', this.dataSource.manager), async (tx) => {
      const account = await this.creation.createFirst(tx, email, passwordHash);
      if (account === null) return false;
      if (personalAccessToken !== null)
        await this.tokens.createConfigured({ ...tx, tenantId: account.tenantId }, account.id, personalAccessToken);
      return true;
    });
    if (!made) return this.leftAlone();
    const token = personalAccessToken === null ? '' : ', with a personal access token';
    return { sentence: `Bootstrap: made the first administrator ${email}${token}.`, isWarning: false };
  }

  private async withoutConfiguration(): Promise<AdministratorOutcome | null> {
    const offer = await this.creation.offer(this.dataSource.manager);
    if (offer.isFirstUser) return { sentence: FIRST_USER, isWarning: false };
    if (!offer.isOpen || (await this.administrators.serverHasUser(this.dataSource.manager))) return null;
    return { sentence: UNADMINISTERED + (offer.hasUsers ? GRANT : CONFIGURE), isWarning: true };
  }

  /** Outcome where users exist already. An installation that lacks an administrator says so as one without configuration does. */
  private async leftAlone(): Promise<AdministratorOutcome> {
    return (await this.withoutConfiguration()) ?? { sentence: LEFT_ALONE, isWarning: false };
  }
}
