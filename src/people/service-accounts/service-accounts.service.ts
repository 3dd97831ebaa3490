import { Injectable } from '@nestjs/common';

import { idOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { Administrators } from '../../access/authorization/administrators/administrators.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import { PermissionPrincipalKind } from '../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { IssuedTokens } from '../../access/permission-assignments/tokens/issued-tokens.js';
import { forbidden } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { describeAccount } from './describe-account.js';
import type { ServerServiceAccountDto } from './service-account.dto.js';
import { ServiceAccount, ServiceAccountKind, type ServiceAccountAccessMode } from './service-account.entity.js';
import { ServiceAccountsRepository, type AccountOwner } from './service-accounts.repository.js';
import { requireMayMake } from './unrestricted-accounts.js';

/** A new account. */
export interface NewAccount {
  readonly name: string;
  readonly description: string | null;
  readonly accessMode: ServiceAccountAccessMode;
  /** A new id when left out. */
  readonly id?: string;
}

/** The members of an account that a caller may change. */
export interface AccountChanges {
  readonly name: string;
  /** Left out: stays as it is. */
  readonly description?: string | null;
  /** Left out or null: stays as it is. */
  readonly isEnabled?: boolean | null;
}

/** The editable state of an account. Its credentials have routes of their own. */
export const accountState = new TaggedState(
  ({ name, description, isEnabled }: Pick<ServiceAccount, 'name' | 'description' | 'isEnabled'>) => ({ name, description, isEnabled }),
);

const DUPLICATE_NAME = 'A service account with this name already exists.';
const UNIQUE_NAME = { uq_service_accounts_server_name: DUPLICATE_NAME, uq_service_accounts_tenant_name: DUPLICATE_NAME };

/** Service accounts of the server and of tenants. */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: ServiceAccountsRepository,
    private readonly authorization: AuthorizationService,
    private readonly administrators: Administrators,
    private readonly assignments: AssignmentLifecycle,
    private readonly issuedTokens: IssuedTokens,
    private readonly tenants: TenantsService,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** The owner's accounts by name, each with its credentials in order of creation. */
  async *list({ manager }: RequestContext, owner: AccountOwner): AsyncGenerator<readonly ServerServiceAccountDto[]> {
    for await (const accounts of this.repository.list(manager, owner)) {
      const credentials = await this.repository.credentialsByAccount(manager, accounts);
      yield accounts.map((account) => describeAccount(account, credentials.get(account.id) ?? []));
    }
  }

  /** One account; 404 when the owner has none with this id. */
  async get({ manager }: RequestContext, owner: AccountOwner, id: string): Promise<ServerServiceAccountDto> {
    const account = await this.repository.find(manager, owner, id);
    return describeAccount(account, await this.repository.credentialsOf(manager, account));
  }

  /** Checks that the server has an account of that name, or any account when no name is given. */
  hasServerAccount({ manager }: Pick<RequestContext, 'manager'>, name?: string): Promise<boolean> {
    return this.repository.exists(manager, null, name);
  }

  /** Creates an enabled account without credentials. 409 when the owner has one of that name. */
  async create(context: RequestContext, owner: AccountOwner, account: NewAccount): Promise<ServerServiceAccountDto> {
    return this.unitOfWork.run(
      context,
      async (tx) => {
        await requireMayMake(this.authorization, tx, account, 'creating one');
        if (owner !== null) await this.tenants.hold(tx, owner);
        const created = tx.manager.create(ServiceAccount, {
          id: account.id ?? newGuid(),
          kind: owner === null ? ServiceAccountKind.Server : ServiceAccountKind.Tenant,
          tenantId: owner,
          name: account.name,
          description: account.description,
          accessMode: account.accessMode,
          isEnabled: true,
          createdAt: this.clock.now(),
        });
        await tx.manager.insert(ServiceAccount, created);
        await this.log(tx, 'service-account-created', created, { after: stateOf(created) });
        return describeAccount(created, []);
      },
      UNIQUE_NAME,
    );
  }

  /**
   * Changes the name or description of an account, or enables or disables it. Its access mode never changes. 400 when
   * no administrator would be left, 412 when it is in no expected state.
   */
  async update(
    context: RequestContext,
    owner: AccountOwner,
    id: string,
    changes: AccountChanges,
    expected?: ExpectedTags,
  ): Promise<ServerServiceAccountDto> {
    return this.administrators.keeping(
      context,
      { tenantId: owner },
      async (tx) => {
        const account = await this.repository.lock(tx.manager, owner, id);
        accountState.require(expected, account);
        const before = stateOf(account);
        const { name, description = account.description } = changes;
        const isEnabled = changes.isEnabled ?? account.isEnabled;
        Object.assign(account, { name, description, isEnabled });
        await tx.manager.update(ServiceAccount, { id }, { name, description, isEnabled });
        await this.log(tx, 'service-account-updated', account, { before, after: stateOf(account) });
        tx.transaction.touch(Topic.CredentialOwner, id);
        return describeAccount(account, await this.repository.credentialsOf(tx.manager, account));
      },
      UNIQUE_NAME,
    );
  }

  /**
   * Deletes an account with its credentials and assignments, and the tokens that were made with these credentials. 403 for the calling
   * account itself, 400 when no administrator would be left, 412 when it is in no expected state.
   */
  async remove(context: RequestContext, owner: AccountOwner, id: string, expected?: ExpectedTags): Promise<void> {
    await this.administrators.keeping(context, { tenantId: owner }, async (tx) => {
      const account = await this.repository.lock(tx.manager, owner, id);
      if (idOf(context.principal) === id) throw forbidden('A service account cannot delete itself.');
      accountState.require(expected, account);
      await this.assignments.logRemoved(tx, { principals: [{ principalKind: PermissionPrincipalKind.ServiceAccount, principalId: id }] });
      const credentials = await this.repository.credentialsOf(tx.manager, account);
      await this.issuedTokens.logEndedOf(tx, id);
      await tx.manager.delete(ServiceAccount, { id });
      const removed = credentials.map((credential) => ({ id: credential.id, name: credential.name }));
      await this.log(tx, 'service-account-deleted', account, { before: { ...stateOf(account), credentials: removed } });
      tx.transaction.touch(Topic.CredentialOwner, id);
    });
  }

  private log(
    tx: InTransaction<RequestContext>,
    action: string,
    { id, tenantId }: ServiceAccount,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.ServiceAccount, targetId: id, tenantId, ...states });
  }
}

function stateOf({ name, kind, description, isEnabled, accessMode }: ServiceAccount): object {
  return { name, kind, description, isEnabled, accessMode };
}
