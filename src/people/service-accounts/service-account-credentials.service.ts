import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { Escalation } from '../../access/authorization/escalation/escalation.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import { PermissionPrincipalKind } from '../../access/authorization/permissions/permission.js';
import { IssuedTokens } from '../../access/permission-assignments/tokens/issued-tokens.js';
import { forbidden, invalid, invalidField } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { formatKey, hashSecret, newSecret } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';
import { isActive } from './credential-state.js';
import { describeCredential } from './describe-account.js';
import { MAXIMUM_CREDENTIALS, type CreateServiceAccountCredentialResponseDto } from './service-account.dto.js';
import { ServiceAccountCredential, type ServiceAccount } from './service-account.entity.js';
import { ServiceAccountsRepository, type AccountOwner } from './service-accounts.repository.js';
import { requireMayMake } from './unrestricted-accounts.js';

/** A new credential. */
export interface NewCredential {
  readonly name: string;
  /** Null never expires. */
  readonly expiresAt: Date | null;
}

/** The parts of a key. */
export interface KeyParts {
  readonly id: string;
  readonly secret: string;
}

/** The credentials of service accounts: active until they are revoked or expire, and listed until they are purged. */
@Injectable()
export class ServiceAccountCredentialsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: ServiceAccountsRepository,
    private readonly authorization: AuthorizationService,
    private readonly escalation: Escalation,
    private readonly issuedTokens: IssuedTokens,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a credential; its key is in this answer only. With it the caller can act as the account, so the caller must hold all
   * that the account holds (403). 400 when the account has as many as possible.
   */
  async create(
    context: RequestContext,
    owner: AccountOwner,
    accountId: string,
    { name, expiresAt }: NewCredential,
    { id, secret }: KeyParts = { id: newGuid(), secret: newSecret() },
  ): Promise<CreateServiceAccountCredentialResponseDto> {
    if (expiresAt !== null && expiresAt.getTime() <= this.clock.milliseconds()) {
      throw invalidField('expiresAt', 'expiresAt must be in the future.');
    }
    return this.unitOfWork.run(context, async (tx) => {
      const account = await this.repository.lock(tx.manager, owner, accountId);
      await this.requireAllRightsOf(tx, account);
      if (!account.isEnabled) throw forbidden('The service account is disabled: enable it before you create a credential.');
      if ((await tx.manager.countBy(ServiceAccountCredential, { serviceAccountId: accountId })) >= MAXIMUM_CREDENTIALS) {
        throw invalid(`A service account can have at most ${MAXIMUM_CREDENTIALS} credentials. Delete a revoked or expired one first.`);
      }
      const credential = tx.manager.create(ServiceAccountCredential, {
        id,
        createdAt: this.clock.now(),
        serviceAccountId: accountId,
        name,
        hashedSecret: hashSecret(secret),
        expiresAt,
        lastUsedAt: null,
        revokedAt: null,
      });
      await tx.manager.insert(ServiceAccountCredential, credential);
      await this.log(tx, 'service-account-credential-created', account, credential, 'after');
      return { credential: describeCredential(credential), plainTextSecretKey: formatKey(id, secret) };
    });
  }

  /** Ends a credential, which stays listed, and the tokens that were made with it. Repeating it changes nothing. */
  async revoke(context: RequestContext, owner: AccountOwner, accountId: string, id: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const account = await this.repository.lock(tx.manager, owner, accountId);
      const credential = await this.repository.credential(tx.manager, accountId, id);
      if (credential.revokedAt !== null) return;
      await this.issuedTokens.logEnded(tx, [id]);
      await tx.manager.update(ServiceAccountCredential, { id }, { revokedAt: this.clock.now() });
      await this.log(tx, 'service-account-credential-revoked', account, credential, 'before');
      tx.transaction.touch(Topic.Credential, id);
    });
  }

  /** Deletes a credential that is revoked or expired; 400 for an active one. */
  async purge(context: RequestContext, owner: AccountOwner, accountId: string, id: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const account = await this.repository.lock(tx.manager, owner, accountId);
      const credential = await this.repository.credential(tx.manager, accountId, id);
      if (isActive(credential, this.clock.milliseconds())) {
        throw invalid('Only revoked or expired credentials can be deleted. Revoke the credential first.');
      }
      await this.issuedTokens.logEnded(tx, [id]);
      await tx.manager.delete(ServiceAccountCredential, { id });
      await this.log(tx, 'service-account-credential-deleted', account, credential, 'before');
      tx.transaction.touch(Topic.Credential, id);
    });
  }

  private async requireAllRightsOf(context: RequestContext, account: ServiceAccount): Promise<void> {
    await requireMayMake(this.authorization, context, account, 'creating a credential for one');
    const holder = { kind: PermissionPrincipalKind.ServiceAccount, id: account.id, tenantId: account.tenantId };
    await this.escalation.requireAllRightsOf(context, holder, 'Creating a credential of a service account lets you act as that account.');
  }

  private log(
    tx: InTransaction<RequestContext>,
    action: string,
    { id: serviceAccountId, tenantId }: ServiceAccount,
    { id, name, expiresAt }: ServiceAccountCredential,
    side: 'before' | 'after',
  ): Promise<void> {
    const target = ChangeTarget.ServiceAccountCredential;
    return this.changeLog.write(tx, { action, target, targetId: id, tenantId, [side]: { name, serviceAccountId, expiresAt } });
  }
}
