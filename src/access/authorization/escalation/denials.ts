import { Injectable } from '@nestjs/common';

import { forbidden } from '../../../platform/common/errors/errors.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import type { RequestContext } from '../../authentication/principals/request-context.js';
import { AuthorizationService } from '../evaluation/authorization.service.js';
import { Permission, PermissionPrincipalKind, type PermissionDefinition, type PermissionScopeKind } from '../permissions/permission.js';
import { DenialsRepository, type Denial } from './denials.repository.js';

type Tx = InTransaction<RequestContext>;

/** A device that is about to go. */
interface Removable {
  readonly id: string;
  readonly tenantId: string;
}

/**
 * Keeps denials in force. A Deny can be ended without touching its assignment: by deleting or emptying what it names, or by leaving
 * the group that carries it. All of these take the rights that deleting the assignment takes: `tenant.permissions.deny`, and
 * `server.permissions.write` besides when it denies something to a service account of the server.
 *
 * Deleting a principal or a tenant ends no denial: nobody is left whom it applied to.
 *
 * Call these with the rows of what changes locked, so that no Deny is added in between. The caller's rights are read in the
 * transaction.
 */
@Injectable()
export class Denials {
  constructor(
    private readonly authorization: AuthorizationService,
    private readonly repository: DenialsRepository,
  ) {}

  /** 403 unless the caller may end every Deny at the scopes. `deed` begins the sentence: "Deleting this group". */
  async requireMayEndAt(
    tx: Tx,
    tenantId: string,
    scopeKind: PermissionScopeKind,
    scopeIds: readonly string[],
    deed: string,
  ): Promise<void> {
    if (scopeIds.length === 0) return;
    const missing = await this.missing(tx, tenantId, await this.repository.at(tx.manager, scopeKind, scopeIds));
    if (missing !== null) throw wouldEnd(deed, missing);
  }

  /** 403 unless the caller may change the members of a user group, to whom its denials apply. */
  async requireMayShift(tx: Tx, tenantId: string, userGroupId: string): Promise<void> {
    const denials = await this.repository.of(tx.manager, PermissionPrincipalKind.UserGroup, userGroupId);
    const missing = await this.missing(tx, tenantId, denials);
    if (missing === null) return;
    throw forbidden(`The group denies ${denials[0].permissionName}: changing its members or deleting it requires ${missing.name}.`);
  }

  /** Returns those of the devices that the caller must not delete because a Deny reaches them, each with the permission that it lacks. */
  async undeletableDevices(tx: Tx, devices: readonly Removable[]): Promise<ReadonlyMap<string, PermissionDefinition>> {
    const undeletable = new Map<string, PermissionDefinition>();
    if (devices.length === 0) return undeletable;
    const ids = devices.map(({ id }) => id);
    const denials = await this.repository.reaching(tx.manager, ids);
    if (denials.length === 0) return undeletable;
    for (const { id, tenantId } of devices) {
      const own = denials.filter(({ deviceId }) => deviceId === id);
      const missing = await this.missing(tx, tenantId, own);
      if (missing !== null) undeletable.set(id, missing);
    }
    return undeletable;
  }

  /** The permission that the caller would need to end the denials, or null. */
  private async missing({ principal, manager }: Tx, tenantId: string, denials: readonly Denial[]): Promise<PermissionDefinition | null> {
    if (denials.length === 0) return null;
    const rights = this.authorization.storedRights(manager);
    const { TenantPermissionsDeny, ServerPermissionsWrite } = Permission;
    if (!(await rights.isAllowed(principal, TenantPermissionsDeny, { kind: 'Tenant', tenantId }))) return TenantPermissionsDeny;
    const needsServer = denials.some(({ isOfServerAccount }) => isOfServerAccount);
    if (needsServer && !(await rights.isAllowed(principal, ServerPermissionsWrite, { kind: 'Server' }))) return ServerPermissionsWrite;
    return null;
  }
}

/** The refusal of an action that would end a Deny. */
export function wouldEnd(deed: string, { name }: PermissionDefinition): Error {
  return forbidden(`${deed} would end a denial: the permission ${name} is required.`);
}
