import { Injectable } from '@nestjs/common';

import { invalidField, notFound } from '../../platform/common/errors/errors.js';
import type { Pages } from '../../platform/common/resources/pages.js';
import type { TenantContext } from '../authentication/principals/request-context.js';
import { AuthorizationService } from '../authorization/evaluation/authorization.service.js';
import { findPreset, noSuchPreset } from '../authorization/permissions/permission-presets.js';
import { Permission } from '../authorization/permissions/permission.js';
import { AssignmentReferencesRepository } from './assignment-references.repository.js';
import { changedValues, isVisible, requireLegal, requireOnePrincipal, type PathOf } from './assignment-rules.js';
import { AssignmentWriter, type AssignmentTransaction } from './assignment-writer.js';
import {
  principalKey,
  type AssignmentChanges,
  type AssignmentPrincipal,
  type AssignmentValues,
  type PrincipalReference,
  type RequestedAssignment,
} from './assignment.js';
import { CreatedObjectsRepository } from './created-objects/created-objects.repository.js';
import type { MadeThingDto } from './created-objects/made-thing.dto.js';
import type {
  DeleteManyPermissionAssignmentsResponseDto,
  PermissionAssignmentDto,
  PermissionCatalogEntryDto,
  PermissionPresetDto,
} from './permission-assignment.dto.js';
import type { PermissionAssignment } from './permission-assignment.entity.js';
import { PermissionAssignmentsRepository } from './permission-assignments.repository.js';
import { CATALOG_ENTRIES, PRESETS } from './permission-lists.js';
import { grantsOf, planGrants } from './preset-grants.js';
import { requireRight, writeRightsOf, type WriteRights } from './write-rights.js';

/** An assignment that the caller sees, with its principal; null when the principal no longer exists. */
interface HeldAssignment {
  readonly row: PermissionAssignment;
  readonly principal: AssignmentPrincipal | null;
}

const ASSIGNMENT = 'The permission assignment';

const inBody: PathOf = (field) => field;
const inBatch =
  (index: number): PathOf =>
  (field) =>
    `assignments[${index}].${field}`;

/** Permission assignments as callers read and write them. Each write needs the rights that `WriteRights` names. */
@Injectable()
export class PermissionAssignmentsService {
  constructor(
    private readonly repository: PermissionAssignmentsRepository,
    private readonly references: AssignmentReferencesRepository,
    private readonly createdObjects: CreatedObjectsRepository,
    private readonly writer: AssignmentWriter,
    private readonly authorization: AuthorizationService,
  ) {}

  /** Every permission, by name. */
  catalog(): PermissionCatalogEntryDto[] {
    return [...CATALOG_ENTRIES];
  }

  /** Every preset, by name. */
  presets(): PermissionPresetDto[] {
    return [...PRESETS];
  }

  /** A principal's assignments by permission and scope kind. Those at Server scope need `server.permissions.read`. */
  async *list(context: TenantContext, reference: PrincipalReference): AsyncGenerator<readonly PermissionAssignmentDto[]> {
    const { manager, tenantId } = context;
    const seesServerRows = await this.authorization.isAllowed(context.principal, Permission.ServerPermissionsRead, { kind: 'Server' });
    const principal = await this.references.principal(manager, tenantId, reference);
    for await (const rows of this.repository.pagesOfPrincipal(manager, tenantId, reference)) {
      yield rows.filter((row) => isVisible(row, tenantId, principal, seesServerRows)).map(describe);
    }
  }

  /** Lists what a principal has created in the tenant, newest first. The principal may be gone, or of no tenant. */
  createdBy({ manager, tenantId }: TenantContext, principalId: string): Pages<MadeThingDto> {
    return this.createdObjects.list(manager, tenantId, principalId);
  }

  /** Adds one assignment. */
  async create(context: TenantContext, request: RequestedAssignment): Promise<PermissionAssignmentDto> {
    const [created] = await this.exclusively(context, [request], (tx, rights) => this.add(tx, rights, request, [request], () => inBody));
    return describe(created);
  }

  /** Adds assignments of one principal, all or none. */
  async createMany(context: TenantContext, requests: readonly RequestedAssignment[]): Promise<void> {
    const [first] = requests;
    requireOnePrincipal(first, requests, inBatch);
    await this.exclusively(context, [first], (tx, rights) => this.add(tx, rights, first, requests, inBatch));
  }

  /**
   * Replaces those of a principal's assignments that the caller sees and that have one of the scope kinds of the new ones; the
   * others stay. Deleting an assignment needs the same rights as adding it.
   */
  async replace(context: TenantContext, reference: PrincipalReference, requests: readonly RequestedAssignment[]): Promise<void> {
    requireOnePrincipal(reference, requests, inBatch);
    await this.exclusively(context, [reference], (tx, rights) => this.replaceIn(tx, rights, reference, requests, inBatch));
  }

  /**
   * Grants the permissions of presets, each at its broadest scope inside the tenant, or at the server, and returns how
   * many assignments were created or enabled. Unknown names are skipped; 400 when no name is known.
   *
   * With `replaceExisting` the presets replace existing assignments like {@link replace}. Otherwise, existing
   * assignments are kept and enabled. A Deny stays, and the new Allow has no effect until a caller with the required
   * permission deletes the Deny.
   */
  async applyPresets(
    context: TenantContext,
    reference: PrincipalReference,
    presetNames: readonly string[],
    replaceExisting: boolean,
  ): Promise<number> {
    const presets = presetNames.flatMap((name) => findPreset(name) ?? []);
    if (presets.length === 0) throw invalidField('presetNames', noSuchPreset(presetNames[0]));
    const grants = grantsOf(presets, context.tenantId);
    return this.exclusively(context, [reference], async (tx, rights) => {
      if (replaceExisting) return (await this.replaceIn(tx, rights, reference, grants, () => inBody)).length;
      const principal = await this.references.holdPrincipal(tx.manager, tx.tenantId, reference);
      const { enable, add } = planGrants(await this.repository.ofPrincipal(tx.manager, tx.tenantId, reference), grants);
      for (const row of enable) await this.change(tx, rights, { row, principal }, { ...row, isEnabled: true });
      await this.add(tx, rights, reference, add, () => inBody);
      return enable.length + add.length;
    });
  }

  /** Changes an assignment, all but its principal. Values that it already has change nothing. */
  async update(context: TenantContext, id: string, changes: AssignmentChanges): Promise<PermissionAssignmentDto> {
    return this.changeSeen(context, [id], async (tx, rights, [held]) => {
      if (held === undefined) throw notFound(ASSIGNMENT);
      return describe(await this.change(tx, rights, held, changedValues(held.row, changes)));
    });
  }

  /** Deletes an assignment. */
  async remove(context: TenantContext, id: string): Promise<void> {
    await this.changeSeen(context, [id], async (tx, rights, held) => {
      if (held.length === 0) throw notFound(ASSIGNMENT);
      await this.take(tx, rights, held);
    });
  }

  /** Deletes those of the assignments that the caller sees, all or none; the other ids are the answer's `failureIds`. */
  async removeMany(context: TenantContext, ids: readonly string[]): Promise<DeleteManyPermissionAssignmentsResponseDto> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return { successIds: [], failureIds: [] };
    return this.changeSeen(context, wanted, async (tx, rights, held) => {
      await this.take(tx, rights, held);
      const deleted = new Set(held.map(({ row }) => row.id));
      return { successIds: wanted.filter((id) => deleted.has(id)), failureIds: wanted.filter((id) => !deleted.has(id)) };
    });
  }

  /** Runs `work` as the only writer of the principals' assignments, with the rights that the caller has then. */
  private exclusively<T>(
    context: TenantContext,
    principals: readonly PrincipalReference[],
    work: (tx: AssignmentTransaction, rights: WriteRights) => Promise<T>,
  ): Promise<T> {
    return this.writer.exclusively(context, principals, async (tx) =>
      work(tx, await writeRightsOf(this.authorization.storedRights(tx.manager), tx)),
    );
  }

  /** Runs `work` on those of the assignments that the caller sees, as the only writer of their principals' assignments. */
  private async changeSeen<T>(
    context: TenantContext,
    ids: readonly string[],
    work: (tx: AssignmentTransaction, rights: WriteRights, held: readonly HeldAssignment[]) => Promise<T>,
  ): Promise<T> {
    // The principal of an assignment never changes, so it can be read before its lock is taken. Everything else is read after.
    const holders = await this.repository.byIds(context.manager, context.tenantId, ids);
    return this.exclusively(context, holders, async (tx, rights) => {
      const principals = await this.references.holdPrincipals(tx.manager, tx.tenantId, holders);
      const rows = await this.repository.byIds(tx.manager, tx.tenantId, ids);
      const held = rows.map((row) => ({ row, principal: principals.get(principalKey(row)) ?? null }));
      return work(
        tx,
        rights,
        held.filter(({ row, principal }) => isVisible(row, tx.tenantId, principal, rights.server)),
      );
    });
  }

  private async add(
    tx: AssignmentTransaction,
    rights: WriteRights,
    reference: PrincipalReference,
    requests: readonly AssignmentValues[],
    pathsOf: (index: number) => PathOf,
  ): Promise<PermissionAssignment[]> {
    if (requests.length === 0) return [];
    const principal = await this.references.holdPrincipal(tx.manager, tx.tenantId, reference);
    if (principal === null) throw unknownPrincipal();
    const assignments = requests.map((request, index) => requireLegal(request, principal, tx.tenantId, pathsOf(index)));
    for (const { values } of assignments) requireRight(values, principal, rights);
    return this.writer.add(tx, principal, assignments);
  }

  private async replaceIn(
    tx: AssignmentTransaction,
    rights: WriteRights,
    reference: PrincipalReference,
    requests: readonly AssignmentValues[],
    pathsOf: (index: number) => PathOf,
  ): Promise<PermissionAssignment[]> {
    const scopeKinds = new Set(requests.map(({ scopeKind }) => scopeKind));
    const principal = await this.references.holdPrincipal(tx.manager, tx.tenantId, reference);
    const rows = await this.repository.ofPrincipal(tx.manager, tx.tenantId, reference);
    const replaced = rows.filter((row) => scopeKinds.has(row.scopeKind) && isVisible(row, tx.tenantId, principal, rights.server));
    await this.take(
      tx,
      rights,
      replaced.map((row) => ({ row, principal })),
    );
    return this.add(tx, rights, reference, requests, pathsOf);
  }

  private async change(
    tx: AssignmentTransaction,
    rights: WriteRights,
    { row, principal }: HeldAssignment,
    values: AssignmentValues,
  ): Promise<PermissionAssignment> {
    requireRight(row, principal, rights);
    if (principal === null) throw unknownPrincipal();
    const assignment = requireLegal(values, principal, tx.tenantId, inBody);
    requireRight(assignment.values, principal, rights);
    return this.writer.change(tx, principal, row, assignment);
  }

  private async take(tx: AssignmentTransaction, rights: WriteRights, held: readonly HeldAssignment[]): Promise<void> {
    for (const { row, principal } of held) requireRight(row, principal, rights);
    await this.writer.remove(
      tx,
      held.map(({ row }) => row),
    );
  }
}

function unknownPrincipal(): Error {
  return invalidField('principalId', 'The tenant has no such principal.');
}

function describe(row: PermissionAssignment): PermissionAssignmentDto {
  const { id, principalKind, principalId, permissionName, effect, scopeKind, scopeId, notes, isEnabled, createdAt } = row;
  return { id, principalKind, principalId, permissionName, effect, scopeKind, scopeId, notes, isEnabled, createdAt };
}
