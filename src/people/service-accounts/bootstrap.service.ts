import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { systemContext, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { formatKey } from '../../platform/common/identifiers/secret.js';
import { Settings } from '../../platform/config/settings.js';
import { AdvisoryLock, lockUntilCommit } from '../../platform/database/locks/advisory-locks.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { ServiceAccountCredentialsService } from './service-account-credentials.service.js';
import { ServiceAccountAccessMode } from './service-account.entity.js';
import { ServiceAccountsService } from './service-accounts.service.js';

/** Outcome of the bootstrap. */
export interface BootstrapOutcome {
  /** For the operator. */
  readonly sentence: string;
}

const CREDENTIAL_NAME = 'Bootstrap Credential';
/** Refusals where the configured name is new but one of the ids is taken: only the operator can resolve that. */
const TAKEN_IDS = {
  pk_service_accounts: 'Service_Bootstrap__ServerServiceAccountId is the id of a service account with another name: choose another GUID.',
  pk_service_account_credentials:
    'Service_Bootstrap__ServerServiceAccountTokenId is the id of a credential of another service account: choose another GUID.',
};

/** Creates the first credential of a new installation from the configuration. */
@Injectable()
export class BootstrapService {
  constructor(
    private readonly settings: Settings,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: ServiceAccountsService,
    private readonly credentials: ServiceAccountCredentialsService,
    private readonly dataSource: DataSource,
  ) {}

  /** Creates the configured account with its first credential, unless an account of that name exists. 409 when a configured id is taken. */
  async run(): Promise<BootstrapOutcome> {
    const { serviceAccount: account } = this.settings.bootstrap;
    if (account === null) return { sentence: await this.withoutConfiguration() };
    const create = async (tx: InTransaction<RequestContext>): Promise<BootstrapOutcome> => {
      await lockUntilCommit(tx.manager, AdvisoryLock.Bootstrap);
      if (await this.accounts.hasServerAccount(tx, account.name)) {
        return { sentence: `Bootstrap: the server service account "${account.name}" exists; nothing was changed.` };
      }
      const created = await this.accounts.create(tx, null, {
        name: account.name,
        description: account.description,
        accessMode: ServiceAccountAccessMode.Unrestricted,
        ...(account.id === null ? {} : { id: account.id }),
      });
      await this.credentials.create(
        tx,
        null,
        created.id,
        { name: CREDENTIAL_NAME, expiresAt: null },
        { id: account.tokenId, secret: account.tokenSecret },
      );
      return {
        sentence:
          `Bootstrap: created the Unrestricted server service account "${account.name}" with its first credential; ` +
          `its x-api-key is ${formatKey(account.tokenId, '<the configured secret>')}`,
      };
    };
    return this.unitOfWork.run(systemContext('bootstrap', this.dataSource.manager), create, TAKEN_IDS);
  }

  private async withoutConfiguration(): Promise<string> {
    return (await this.accounts.hasServerAccount({ manager: this.dataSource.manager }))
      ? 'Bootstrap: not configured; server service accounts exist.'
      : 'No credential exists yet: set Service_Bootstrap__ServerServiceAccountName, Service_Bootstrap__ServerServiceAccountTokenId (a GUID) and ' +
          'Service_Bootstrap__ServerServiceAccountTokenSecret (at least 32 characters) and start again to get the first one.';
  }
}
