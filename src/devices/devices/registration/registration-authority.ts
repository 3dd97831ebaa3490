import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { AuthorizationService } from '../../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../../access/authorization/evaluation/rules.js';
import { PermissionPrincipalKind } from '../../../access/authorization/permissions/permission.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import type { KeyOwner } from '../../installer-keys/installer-key-redemption.js';
import { needsNothing, refused, requireAllowed, type RegistrationNeeds } from './registration-rules.js';
import { RegistrationRepository } from './registration.repository.js';

/** Checks that the creator of an installer key may register a device with it. */
@Injectable()
export class RegistrationAuthority {
  constructor(
    private readonly repository: RegistrationRepository,
    private readonly authorization: AuthorizationService,
    private readonly clock: Clock,
  ) {}

  /** Checks that the creator of a key exists, without whom it registers nothing. */
  async hasCreator(manager: EntityManager, owner: KeyOwner): Promise<boolean> {
    return (await this.repository.creator(manager, owner)) !== null;
  }

  /**
   * A key whose creator exists is enough to add a new device, also to a customer. For everything else the creator must be active and
   * hold the permission, and so must the Restricted token with which it made the key. Unrestricted accounts need no permission.
   */
  async require(
    { manager }: InTransaction<RequestContext>,
    owner: KeyOwner,
    needs: RegistrationNeeds,
    device: DeviceResource,
  ): Promise<void> {
    const creator = await this.repository.creator(manager, owner);
    if (creator === null) throw refused();
    if (needsNothing(needs)) return;
    if (!creator.isActive) throw refused();
    if (creator.isUnrestricted) return;
    const { creatorId, creatorKind, creatorTokenId } = owner;
    const rights = this.authorization.storedRights(manager);
    const kind = creatorKind === 'User' ? PermissionPrincipalKind.User : PermissionPrincipalKind.ServiceAccount;
    const boundTo = creatorKind === 'ServerServiceAccount' ? null : owner.tenantId;
    requireAllowed(needs, await rights.rules(kind, creatorId, boundTo), device);
    if (creatorTokenId === null) return;
    if (!(await this.repository.tokenIsActive(manager, creatorTokenId, this.clock.now()))) throw refused();
    requireAllowed(needs, await rights.rules(PermissionPrincipalKind.PersonalAccessToken, creatorTokenId, boundTo), device);
  }
}
