import { Injectable } from '@nestjs/common';
import { In, IsNull, type EntityManager, type FindOptionsWhere } from 'typeorm';

import { CREDENTIAL_OWNER_TOPIC, CREDENTIAL_TOPIC } from '../authentication/key-verifier.js';
import { idOf } from '../authentication/principal.js';
import type { RequestContext } from '../authentication/request-context.js';
import { Administrators } from '../authorization/administrators.js';
import { AuthorizationService } from '../authorization/authorization.service.js';
import { ChangeLog, ChangeTarget } from '../authorization/change-log.js';
import { Escalation } from '../authorization/escalation.js';
import { Permission, PermissionPrincipalKind } from '../authorization/permission.js';
import { Clock } from '../common/clock.js';
import { forbidden, invalid, invalidField, notFound } from '../common/errors.js';
import { newGuid } from '../common/guid.js';
import { LIST_LIMIT } from '../common/list-limit.js';
import { formatKey, hashSecret, newSecret } from '../common/secret.js';
import { UnitOfWork, type InTransaction, type UniqueRules } from '../database/unit-of-work.js';
import { AssignmentLifecycle } from '../permission-assignments/assignment-lifecycle.js';
import { TenantsService } from '../tenants/tenants.service.js';
import type {
  CreateServiceAccountCredentialResponseDto,
  ServerServiceAccountDto,
  ServiceAccountCredentialDto,
} from './service-account.dto.js';
import { ServiceAccount, ServiceAccountAccessMode, ServiceAccountCredential, ServiceAccountKind } from './service-account.entity.js';

/** Whose accounts an operation reaches: the server's (null) or those of one tenant. */
export type AccountOwner = string | null;

/** The members of an account that a caller may set. */
export interface AccountChanges {
  readonly name: string;
  readonly description: string | null;
  /** Null leaves it as it is. */
  readonly isEnabled: boolean | null;
}

const ACCOUNT = 'The service account';
const CREDENTIAL = 'The credential';
const DUPLICATE_NAME = 'A service account with this name already exists.';
const UNIQUE_NAME = { uq_service_accounts_server_name: DUPLICATE_NAME, uq_service_accounts_tenant_name: DUPLICATE_NAME };

/** Said by the specification word for word. */
const STILL_ACTIVE = 'Only revoked or expired credentials can be deleted. Revoke the credential first.';

/** Service accounts of the server and of tenants, and the states of their credentials (specification, "States and transitions"). */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly authorization: AuthorizationService,
    private readonly administrators: Administrators,
    private readonly escalation: Escalation,
    private readonly assignments: AssignmentLifecycle,
    private readonly tenants: TenantsService,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** The owner's accounts by name, each with its credentials in order of creation. */
  async list(context: RequestContext, owner: AccountOwner): Promise<ServerServiceAccountDto[]> {
    const accounts = await context.manager.find(ServiceAccount, { where: ownedBy(owner), order: { name: 'ASC' }, take: LIST_LIMIT });
    const credentials = await credentialsOf(context.manager, accounts);
    return accounts.map((account) => describe(account, credentials.get(account.id) ?? []));
  }

  /** One account; 404 when the owner has none of that id. */
  async get(context: RequestContext, owner: AccountOwner, id: string): Promise<ServerServiceAccountDto> {
    const account = await this.find(context.manager, owner, id);
    return describe(account, (await credentialsOf(context.manager, [account])).get(id) ?? []);
  }

  /** Whether the server has an account of that name, or any account when no name is given. */
  async hasServerAccount(context: Pick<RequestContext, 'manager'>, name?: string): Promise<boolean> {
    return context.manager.exists(ServiceAccount, { where: { ...ownedBy(null), ...(name === undefined ? {} : { name }) } });
  }

  /** Creates an enabled account without credentials; an Unrestricted one needs the right to grant server permissions. */
  async create(
    context: RequestContext,
    owner: AccountOwner,
    account: {
      readonly name: string;
      readonly description: string | null;
      readonly accessMode: ServiceAccountAccessMode;
      readonly id?: string;
    },
  ): Promise<ServerServiceAccountDto> {
    if (account.accessMode === ServiceAccountAccessMode.Unrestricted) await this.requireServerPermissionsWrite(context, 'creating one');
    return this.unitOfWork.run(
      context,
      async (tx) => {
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
        await this.log(tx, 'service-account-created', created, undefined, accountState(created));
        return describe(created, []);
      },
      UNIQUE_NAME,
    );
  }

  /** Renames, describes, enables or disables an account; its access mode never changes. */
  async update(context: RequestContext, owner: AccountOwner, id: string, changes: AccountChanges): Promise<ServerServiceAccountDto> {
    return this.keepingAdministrators(
      context,
      owner,
      async (tx) => {
        const account = await this.lock(tx, owner, id);
        const before = accountState(account);
        const { name, description } = changes;
        const isEnabled = changes.isEnabled ?? account.isEnabled;
        Object.assign(account, { name, description, isEnabled });
        await tx.manager.update(ServiceAccount, { id }, { name, description, isEnabled });
        await this.log(tx, 'service-account-updated', account, before, accountState(account));
        tx.transaction.touch(CREDENTIAL_OWNER_TOPIC, id);
        return describe(account, (await credentialsOf(tx.manager, [account])).get(id) ?? []);
      },
      UNIQUE_NAME,
    );
  }

  /** Deletes an account with its credentials and assignments. No account deletes itself. */
  async remove(context: RequestContext, owner: AccountOwner, id: string): Promise<void> {
    await this.keepingAdministrators(context, owner, async (tx) => {
      const account = await this.lock(tx, owner, id);
      if (idOf(context.principal) === id) throw forbidden('A service account cannot delete itself.');
      await this.assignments.logRemoved(tx, { principals: [{ principalKind: PermissionPrincipalKind.ServiceAccount, principalId: id }] });
      const credentials = (await credentialsOf(tx.manager, [account])).get(id) ?? [];
      await tx.manager.delete(ServiceAccount, { id });
      const before = {
        ...accountState(account),
        credentials: credentials.map(({ id: credentialId, name }) => ({ id: credentialId, name })),
      };
      await this.log(tx, 'service-account-deleted', account, before, undefined);
      tx.transaction.touch(CREDENTIAL_OWNER_TOPIC, id);
    });
  }

  /**
   * Creates a credential; the answer is the only place where its key ever stands. Whoever holds it acts as the account: it
   * takes holding all that the account holds.
   */
  async createCredential(
    context: RequestContext,
    owner: AccountOwner,
    accountId: string,
    request: { readonly name: string; readonly expiresAt: Date | null },
    chosen: { readonly id: string; readonly secret: string } = { id: newGuid(), secret: newSecret() },
  ): Promise<CreateServiceAccountCredentialResponseDto> {
    if (request.expiresAt !== null && request.expiresAt.getTime() <= this.clock.milliseconds()) {
      throw invalidField('expiresAt', 'expiresAt must be in the future.');
    }
    await this.requireHoldsAll(context, await this.find(context.manager, owner, accountId));
    return this.unitOfWork.run(context, async (tx) => {
      const account = await this.lock(tx, owner, accountId);
      if (!account.isEnabled) throw forbidden('The service account is disabled: enable it before you create a credential.');
      const credential = tx.manager.create(ServiceAccountCredential, {
        id: chosen.id,
        createdAt: this.clock.now(),
        serviceAccountId: accountId,
        name: request.name,
        hashedSecret: hashSecret(chosen.secret),
        expiresAt: request.expiresAt,
        lastUsedAt: null,
        revokedAt: null,
      });
      await tx.manager.insert(ServiceAccountCredential, credential);
      await this.logCredential(tx, 'service-account-credential-created', account, credential, 'after');
      return { credential: describeCredential(credential), plainTextSecretKey: formatKey(credential.id, chosen.secret) };
    });
  }

  /** Revokes a credential; repeating it changes nothing. It stays listed and never authenticates again. */
  async revokeCredential(context: RequestContext, owner: AccountOwner, accountId: string, credentialId: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const account = await this.lock(tx, owner, accountId);
      const credential = await this.credential(tx.manager, accountId, credentialId);
      if (credential.revokedAt !== null) return;
      await tx.manager.update(ServiceAccountCredential, { id: credentialId }, { revokedAt: this.clock.now() });
      await this.logCredential(tx, 'service-account-credential-revoked', account, credential, 'before');
      tx.transaction.touch(CREDENTIAL_TOPIC, credentialId);
    });
  }

  /** Deletes the row of a credential that is revoked or expired; an active one is refused. */
  async purgeCredential(context: RequestContext, owner: AccountOwner, accountId: string, credentialId: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const account = await this.lock(tx, owner, accountId);
      const credential = await this.credential(tx.manager, accountId, credentialId);
      const isExpired = credential.expiresAt !== null && credential.expiresAt.getTime() <= this.clock.milliseconds();
      if (credential.revokedAt === null && !isExpired) throw invalid(STILL_ACTIVE);
      await tx.manager.delete(ServiceAccountCredential, { id: credentialId });
      await this.logCredential(tx, 'service-account-credential-deleted', account, credential, 'before');
      tx.transaction.touch(CREDENTIAL_TOPIC, credentialId);
    });
  }

  /** Runs a change that may disable or remove the last administrator; then everything is undone. */
  private keepingAdministrators<T>(
    context: RequestContext,
    owner: AccountOwner,
    work: (tx: InTransaction<RequestContext>) => Promise<T>,
    unique: UniqueRules = {},
  ): Promise<T> {
    return this.unitOfWork.run(context, (tx) => this.administrators.keeping(tx, owner, () => work(tx)), unique);
  }

  /** Decided before the transaction: a decision may need a connection of its own. */
  private async requireHoldsAll(context: RequestContext, { id, tenantId, accessMode }: ServiceAccount): Promise<void> {
    // No assignment tells what an Unrestricted account may do: whoever may make one may act as one.
    if (accessMode === ServiceAccountAccessMode.Unrestricted)
      await this.requireServerPermissionsWrite(context, 'creating a credential for one');
    const holder = { kind: PermissionPrincipalKind.ServiceAccount, id, tenantId };
    await this.escalation.requireHoldsAll(context, holder, 'Whoever creates a credential of a service account can act as that account.');
  }

  private async requireServerPermissionsWrite(context: RequestContext, what: string): Promise<void> {
    if (await this.authorization.isAllowed(context.principal, Permission.ServerPermissionsWrite, { kind: 'Server' })) return;
    throw forbidden(`An Unrestricted account bypasses every check: ${what} also requires ${Permission.ServerPermissionsWrite.name}.`);
  }

  private async find(manager: EntityManager, owner: AccountOwner, id: string): Promise<ServiceAccount> {
    const account = await manager.findOne(ServiceAccount, { where: { ...ownedBy(owner), id } });
    if (account === null) throw notFound(ACCOUNT);
    return account;
  }

  /** Every change of an account or its credentials locks the account, so that two of them never interleave. */
  private async lock(tx: InTransaction<RequestContext>, owner: AccountOwner, id: string): Promise<ServiceAccount> {
    const account = await tx.manager.findOne(ServiceAccount, { where: { ...ownedBy(owner), id }, lock: { mode: 'pessimistic_write' } });
    if (account === null) throw notFound(ACCOUNT);
    return account;
  }

  private async credential(manager: EntityManager, serviceAccountId: string, id: string): Promise<ServiceAccountCredential> {
    const credential = await manager.findOne(ServiceAccountCredential, { where: { id, serviceAccountId } });
    if (credential === null) throw notFound(CREDENTIAL);
    return credential;
  }

  private async log(
    tx: InTransaction<RequestContext>,
    action: string,
    account: ServiceAccount,
    before: object | undefined,
    after: object | undefined,
  ): Promise<void> {
    await this.changeLog.write(tx, {
      action,
      target: ChangeTarget.ServiceAccount,
      targetId: account.id,
      tenantId: account.tenantId,
      before,
      after,
    });
  }

  private async logCredential(
    tx: InTransaction<RequestContext>,
    action: string,
    account: ServiceAccount,
    credential: ServiceAccountCredential,
    side: 'before' | 'after',
  ): Promise<void> {
    await this.changeLog.write(tx, {
      action,
      target: ChangeTarget.ServiceAccountCredential,
      targetId: credential.id,
      tenantId: account.tenantId,
      [side]: { name: credential.name, serviceAccountId: account.id, expiresAt: credential.expiresAt },
    });
  }
}

function ownedBy(owner: AccountOwner): FindOptionsWhere<ServiceAccount> {
  return owner === null ? { kind: ServiceAccountKind.Server, tenantId: IsNull() } : { kind: ServiceAccountKind.Tenant, tenantId: owner };
}

async function credentialsOf(
  manager: EntityManager,
  accounts: readonly ServiceAccount[],
): Promise<Map<string, ServiceAccountCredential[]>> {
  const byAccount = new Map<string, ServiceAccountCredential[]>();
  if (accounts.length === 0) return byAccount;
  const credentials = await manager.find(ServiceAccountCredential, {
    where: { serviceAccountId: In(accounts.map(({ id }) => id)) },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  for (const credential of credentials) {
    const known = byAccount.get(credential.serviceAccountId);
    if (known === undefined) byAccount.set(credential.serviceAccountId, [credential]);
    else known.push(credential);
  }
  return byAccount;
}

function describe(account: ServiceAccount, credentials: readonly ServiceAccountCredential[]): ServerServiceAccountDto {
  const { id, name, description, isEnabled, accessMode, createdAt } = account;
  return { id, name, description, isEnabled, accessMode, createdAt, credentials: credentials.map(describeCredential) };
}

function describeCredential(credential: ServiceAccountCredential): ServiceAccountCredentialDto {
  const { id, name, createdAt, expiresAt, revokedAt, lastUsedAt } = credential;
  return { id, name, createdAt, expiresAt, revokedAt, lastUsedAt };
}

function accountState({ name, kind, description, isEnabled, accessMode }: ServiceAccount): object {
  return { name, kind, description, isEnabled, accessMode };
}
