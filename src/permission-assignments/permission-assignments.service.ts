import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { idOf, SYSTEM, tenantOf, type Principal } from '../authentication/principal.js';
import type { RequestContext, TenantContext } from '../authentication/request-context.js';
import { Administrators } from '../authorization/administrators.js';
import { AuthorizationService } from '../authorization/authorization.service.js';
import { actorTypeOf, ChangeLog, ChangeTarget, type Change } from '../authorization/change-log.js';
import { isUnrestricted } from '../authorization/evaluator.js';
import { findPreset, permissionPresets, presetScopeOf, type PermissionPreset } from '../authorization/permission-presets.js';
import {
  findPermission,
  Permission,
  permissionCatalog,
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../authorization/permission.js';
import { countingRules, RuleSet, type Resource } from '../authorization/rules.js';
import { RulesRepository } from '../authorization/rules.repository.js';
import { Clock } from '../common/clock.js';
import { conflict, forbidden, invalid, invalidField, notFound } from '../common/errors.js';
import { newGuid } from '../common/guid.js';
import { UnitOfWork, type InTransaction } from '../database/unit-of-work.js';
import {
  hasTerms,
  isSamePrincipal,
  isVisible,
  missingRight,
  normalizeTerms,
  problemOf,
  type AssignmentPrincipal,
  type AssignmentScope,
  type AssignmentTerms,
  type AssignmentValues,
  type PrincipalReference,
  type WriteRights,
} from './assignment-rules.js';
import type {
  DeleteManyPermissionAssignmentsResponseDto,
  PermissionAssignmentDto,
  PermissionCatalogEntryDto,
  PermissionPresetDto,
} from './permission-assignment.dto.js';
import { PermissionAssignment } from './permission-assignment.entity.js';
import { PermissionAssignmentsRepository, principalKey, scopeKey } from './permission-assignments.repository.js';

/** An assignment as a request asks for it. */
export type RequestedAssignment = PrincipalReference & AssignmentValues;

/** What a token is asked to carry: an Allow at a scope. */
export type TokenScope = Pick<AssignmentTerms, 'permissionName' | 'scopeKind' | 'scopeId'>;

type Tx = InTransaction<TenantContext>;
type Principals = ReadonlyMap<string, AssignmentPrincipal>;

/** Where a value of a request stands, as `errors` names it: `notes`, or `assignments[3].notes` in a batch. */
type PathOf = (field: string, index: number) => string;

const ASSIGNMENT = 'The permission assignment';
const DUPLICATE = 'The principal already has an assignment of this permission with the same effect at this scope.';
const UNIQUE_TERMS = { uq_permission_assignments_grant: DUPLICATE };

const inBody: PathOf = (field) => field;
const inBatch: PathOf = (field, index) => `assignments[${index}].${field}`;
const inScopes: PathOf = (field, index) => `scopes[${index}].${field}`;
const inPermissions: PathOf = (_field, index) => `permissions[${index}]`;

/** What a principal's maker writes for it is bounded by other rules than a writer's rights. */
const EVERY_RIGHT: WriteRights = { server: true, tenant: true, deny: true };

/** Permissions that nobody may take from themselves, each with where it is held. */
const SELF_PROTECTED = permissionCatalog.filter(({ selfRemovable }) => !selfRemovable);

/**
 * Who holds which permissions where. Writers of one principal's assignments take turns, so that of several that exclude
 * each other exactly one succeeds; the rows that an assignment names are held, so that none is left behind.
 */
@Injectable()
export class PermissionAssignmentsService {
  private readonly presetList: readonly PermissionPresetDto[] = permissionPresets
    .map(({ name, permissions }) => ({ name, permissions: permissions.map((permission) => permission.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  private readonly catalogList: readonly PermissionCatalogEntryDto[] = permissionCatalog.map((permission) => ({
    name: permission.name,
    displayName: permission.displayName,
    categoryLabel: permission.category,
    description: permission.description,
    allowedScopeKinds: [...permission.scopeKinds],
    selfRemovable: permission.selfRemovable,
  }));

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: PermissionAssignmentsRepository,
    private readonly rules: RulesRepository,
    private readonly authorization: AuthorizationService,
    private readonly administrators: Administrators,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Every permission, by name. */
  catalog(): PermissionCatalogEntryDto[] {
    return [...this.catalogList];
  }

  /** Every preset, by name. */
  presets(): PermissionPresetDto[] {
    return [...this.presetList];
  }

  /** A principal's assignments by permission and scope kind; rows of the server only for readers of those. */
  async list(context: TenantContext, reference: PrincipalReference): Promise<PermissionAssignmentDto[]> {
    const seesServerRows = await this.authorization.isAllowed(context.principal, Permission.ServerPermissionsRead, { kind: 'Server' });
    const principal = await this.repository.principal(context.manager, context.tenantId, reference);
    const rows = await this.repository.ofPrincipal(context.manager, context.tenantId, reference);
    return rows.filter((row) => isVisible(row, context.tenantId, principal, seesServerRows)).map(describe);
  }

  /** Adds one assignment. */
  async create(context: TenantContext, request: RequestedAssignment): Promise<PermissionAssignmentDto> {
    const rights = await this.rightsOf(context);
    const [created] = await this.write(context, [request], (tx) => this.add(tx, rights, request, [request], inBody));
    return describe(created);
  }

  /** Adds assignments of one principal, all or none. */
  async createMany(context: TenantContext, requests: readonly RequestedAssignment[]): Promise<void> {
    const [first] = requests;
    requireOnePrincipal(first, requests);
    const rights = await this.rightsOf(context);
    await this.write(context, [first], (tx) => this.add(tx, rights, first, requests, inBatch));
  }

  /**
   * Replaces what the caller sees of a principal's assignments at the scope kinds that the new ones use; those at other
   * scope kinds stay. Rows that go need the same rights as rows that come, a Deny `tenant.permissions.deny`.
   */
  async replace(context: TenantContext, reference: PrincipalReference, requests: readonly RequestedAssignment[]): Promise<void> {
    requireOnePrincipal(reference, requests);
    const rights = await this.rightsOf(context);
    await this.write(context, [reference], (tx) => this.replaceIn(tx, rights, reference, requests, inBatch));
  }

  /**
   * Grants what presets contain, each permission at its broadest scope inside the tenant, or at the server. Names that are
   * no preset are skipped; when none is one, 400. The answer is how many assignments were created or enabled.
   *
   * Without `replaceExisting` only an enabled Allow at that scope counts as present. A disabled one is enabled. A Deny is
   * left alone: the Allow is added beside it and takes effect when the Deny goes, which needs a right of its own.
   */
  async applyPresets(
    context: TenantContext,
    reference: PrincipalReference,
    presetNames: readonly string[],
    replaceExisting: boolean,
  ): Promise<number> {
    const presets = presetNames.flatMap((name) => findPreset(name) ?? []);
    if (presets.length === 0) throw invalidField('presetNames', 'presetNames must hold the name of a preset.');
    const wanted = assignmentsOf(reference, presets, context.tenantId);
    const rights = await this.rightsOf(context);
    return this.write(context, [reference], async (tx) => {
      if (replaceExisting) return (await this.replaceIn(tx, rights, reference, wanted, inBody)).length;
      const present = await this.repository.ofPrincipal(tx.manager, tx.tenantId, reference);
      const isPresent = (request: RequestedAssignment): boolean => present.some((row) => hasTerms(row, request));
      const disabled = present.filter((row) => !row.isEnabled && wanted.some((request) => hasTerms(row, request)));
      const principals = await this.repository.holdPrincipals(tx.manager, tx.tenantId, [reference]);
      for (const row of disabled) await this.change(tx, rights, principals, row, enabled(row));
      const missing = wanted.filter((request) => !isPresent(request));
      await this.add(tx, rights, reference, missing, inBody);
      return disabled.length + missing.length;
    });
  }

  /** Changes an assignment; its principal stays. Writing what it already says changes nothing. */
  async update(context: TenantContext, id: string, values: AssignmentValues): Promise<PermissionAssignmentDto> {
    const rights = await this.rightsOf(context);
    return this.writeRows(context, rights, [id], async (tx, rows, principals) => {
      if (rows.length === 0) throw notFound(ASSIGNMENT);
      return describe(await this.change(tx, rights, principals, rows[0], values));
    });
  }

  /** Deletes an assignment. */
  async remove(context: TenantContext, id: string): Promise<void> {
    const rights = await this.rightsOf(context);
    await this.writeRows(context, rights, [id], async (tx, rows, principals) => {
      if (rows.length === 0) throw notFound(ASSIGNMENT);
      await this.take(tx, rights, principals, rows);
    });
  }

  /** Deletes the assignments of the ids that the caller sees, all or none; the other ids are its `failureIds`. */
  async removeMany(context: TenantContext, ids: readonly string[]): Promise<DeleteManyPermissionAssignmentsResponseDto> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return { successIds: [], failureIds: [] };
    const rights = await this.rightsOf(context);
    return this.writeRows(context, rights, wanted, async (tx, rows, principals) => {
      await this.take(tx, rights, principals, rows);
      const deleted = new Set(rows.map(({ id }) => id));
      return { successIds: wanted.filter((id) => deleted.has(id)), failureIds: wanted.filter((id) => !deleted.has(id)) };
    });
  }

  /**
   * Gives a principal that was just made its first permissions, as the service itself and without a look at the rights of
   * whoever made it: who may hand out which preset is the caller's rule. One change-log row for all.
   */
  async seed(
    tx: InTransaction<RequestContext>,
    tenantId: string,
    reference: PrincipalReference,
    presets: readonly PermissionPreset[],
  ): Promise<void> {
    await this.repository.lockWriting(tx.manager, [reference]);
    const present = await this.repository.ofPrincipal(tx.manager, tenantId, reference);
    const missing = assignmentsOf(reference, presets, tenantId).filter((request) => !present.some((row) => hasTerms(row, request)));
    const bySystem = { ...tx, tenantId, principal: SYSTEM };
    await this.repository.insert(
      tx.manager,
      missing.map((request) => this.newRow(bySystem, request)),
    );
    tx.transaction.touch(reference.principalKind, reference.principalId);
    await this.changeLog.write(bySystem, {
      action: 'permission-assignments-seeded',
      target: ChangeTarget.PermissionAssignment,
      targetId: reference.principalId,
      tenantId,
      after: { principalKind: reference.principalKind, count: missing.length, presets: presets.map(({ name }) => name) },
    });
  }

  /**
   * Gives a personal access token that was just made the rows that it was asked for: each legal, on something of the tenant
   * and within the rights of the token's owner (400). Who may make tokens for whom is the caller's rule.
   */
  async grantToToken(tx: Tx, tokenId: string, scopes: readonly TokenScope[]): Promise<void> {
    const reference = { principalKind: PermissionPrincipalKind.PersonalAccessToken, principalId: tokenId };
    const requests = scopes.map((scope) => ({ ...reference, ...scope, effect: PermissionEffect.Allow, isEnabled: true, notes: null }));
    await this.add(tx, EVERY_RIGHT, reference, requests, inScopes);
  }

  /** Gives a logon token that was just made its rows on its device. Who may hand out what is the caller's rule. */
  async grantToLogonToken(
    tx: Tx,
    token: { readonly id: string; readonly deviceId: string },
    permissions: readonly PermissionDefinition[],
  ): Promise<void> {
    const reference = { principalKind: PermissionPrincipalKind.LogonToken, principalId: token.id };
    const onDevice = { effect: PermissionEffect.Allow, scopeKind: PermissionScopeKind.Device, scopeId: token.deviceId };
    const requests = permissions.map(({ name }) => ({ ...reference, ...onDevice, permissionName: name, isEnabled: true, notes: null }));
    await this.add(tx, EVERY_RIGHT, reference, requests, inPermissions);
  }

  /**
   * Logs the assignments that go with principals and scopes that are about to be deleted, and lets the caches forget what
   * their principals could do; the database deletes the rows. Call it in the deleting transaction, with the rows of what is
   * deleted locked: then no assignment can come in between.
   */
  async logRemoved(
    tx: InTransaction<RequestContext>,
    gone: { readonly principals?: readonly PrincipalReference[]; readonly scopes?: readonly AssignmentScope[] },
  ): Promise<void> {
    const { principals = [], scopes = [] } = gone;
    for (const { principalKind, principalId } of principals) tx.transaction.touch(principalKind, principalId);
    const rows = await this.repository.naming(tx.manager, principals, scopes);
    await this.log(
      tx,
      rows.map((row) => ({ action: 'permission-assignment-deleted', row, before: stateOf(row) })),
    );
  }

  /** What the caller may write in the named tenant. Read before the transaction: a check may need a connection of its own. */
  async rightsOf({ principal, tenantId }: TenantContext): Promise<WriteRights> {
    const tenant: Resource = { kind: 'Tenant', tenantId };
    return {
      server: await this.authorization.isAllowed(principal, Permission.ServerPermissionsWrite, { kind: 'Server' }),
      tenant: await this.authorization.isAllowed(principal, Permission.TenantPermissionsWrite, tenant),
      deny: await this.authorization.isAllowed(principal, Permission.TenantPermissionsDeny, tenant),
    };
  }

  private async requireTenant(tx: Tx): Promise<void> {
    if (!(await this.repository.holdTenant(tx.manager, tx.tenantId))) throw notFound('The tenant');
  }

  /** Runs work that changes assignments of the principals, as their only writer, and lets nobody lock themselves out. */
  private write<T>(context: TenantContext, references: readonly PrincipalReference[], work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(
      context,
      (tx) =>
        this.administrators.keeping(tx, tx.tenantId, async () => {
          await this.requireTenant(tx);
          await this.repository.lockWriting(tx.manager, references);
          return this.keepingOwnRights(tx, references, () => work(tx));
        }),
      UNIQUE_TERMS,
    );
  }

  /** Runs work on those rows of the ids that the caller sees, as the only writer of their principals' assignments. */
  private writeRows<T>(
    context: TenantContext,
    rights: WriteRights,
    ids: readonly string[],
    work: (tx: Tx, rows: readonly PermissionAssignment[], principals: Principals) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(
      context,
      (tx) =>
        this.administrators.keeping(tx, tx.tenantId, async () => {
          await this.requireTenant(tx);
          const named = await this.repository.byIds(tx.manager, tx.tenantId, ids);
          await this.repository.lockWriting(tx.manager, named);
          return this.keepingOwnRights(tx, named, async () => {
            const principals = await this.repository.holdPrincipals(tx.manager, tx.tenantId, named);
            // Read again under the lock: another writer may have changed or deleted them meanwhile.
            const rows = await this.repository.byIds(tx.manager, tx.tenantId, ids);
            const visible = rows.filter((row) => isVisible(row, tx.tenantId, principals.get(principalKey(row)) ?? null, rights.server));
            return work(tx, visible, principals);
          });
        }),
      UNIQUE_TERMS,
    );
  }

  /** Adds assignments of one principal. Their lock is held. */
  private async add(
    tx: Tx,
    rights: WriteRights,
    reference: PrincipalReference,
    requests: readonly RequestedAssignment[],
    pathOf: PathOf,
  ): Promise<PermissionAssignment[]> {
    if (requests.length === 0) return [];
    const principal = (await this.repository.holdPrincipals(tx.manager, tx.tenantId, [reference])).get(principalKey(reference));
    if (principal === undefined) throw unknownPrincipal();
    const wanted = requests.map((request) => normalizeTerms(request, tx.tenantId));
    await this.requireWritable(tx, rights, principal, wanted, pathOf);
    const rows = wanted.map((request) => this.newRow(tx, request));
    await this.repository.insert(tx.manager, rows);
    await this.log(
      tx,
      rows.map((row) => ({ action: 'permission-assignment-created', row, after: stateOf(row) })),
    );
    return rows;
  }

  private async replaceIn(
    tx: Tx,
    rights: WriteRights,
    reference: PrincipalReference,
    requests: readonly RequestedAssignment[],
    pathOf: PathOf,
  ): Promise<PermissionAssignment[]> {
    const scopeKinds = new Set(requests.map(({ scopeKind }) => scopeKind));
    const principals = await this.repository.holdPrincipals(tx.manager, tx.tenantId, [reference]);
    const rows = await this.repository.ofPrincipal(tx.manager, tx.tenantId, reference);
    const principal = principals.get(principalKey(reference)) ?? null;
    const replaced = rows.filter((row) => scopeKinds.has(row.scopeKind) && isVisible(row, tx.tenantId, principal, rights.server));
    await this.take(tx, rights, principals, replaced);
    return this.add(tx, rights, reference, requests, pathOf);
  }

  /** Changes the values of a row. The lock of its principal is held. */
  private async change(
    tx: Tx,
    rights: WriteRights,
    principals: Principals,
    row: PermissionAssignment,
    values: AssignmentValues,
  ): Promise<PermissionAssignment> {
    const principal = principals.get(principalKey(row));
    requireRight(row, principal ?? null, rights);
    if (principal === undefined) throw unknownPrincipal();
    const changed = normalizeTerms(values, tx.tenantId);
    await this.requireWritable(tx, rights, principal, [changed], inBody);
    if (hasTerms(row, changed) && row.isEnabled === changed.isEnabled && row.notes === changed.notes) return row;
    const before = stateOf(row);
    const { permissionName, effect, scopeKind, scopeId, isEnabled, notes } = changed;
    const owningTenantId = owningTenantOf(scopeKind, tx.tenantId);
    Object.assign(row, { permissionName, effect, scopeKind, scopeId, isEnabled, notes, owningTenantId });
    await this.repository.update(tx.manager, row);
    await this.log(tx, [{ action: 'permission-assignment-updated', row, before, after: stateOf(row) }]);
    return row;
  }

  /** Deletes rows. The locks of their principals are held. */
  private async take(tx: Tx, rights: WriteRights, principals: Principals, rows: readonly PermissionAssignment[]): Promise<void> {
    for (const row of rows) requireRight(row, principals.get(principalKey(row)) ?? null, rights);
    await this.repository.remove(tx.manager, rows);
    await this.log(
      tx,
      rows.map((row) => ({ action: 'permission-assignment-deleted', row, before: stateOf(row) })),
    );
  }

  /** The rules that every row has to keep that is about to stand: legal, within the writer's rights, on something that exists. */
  private async requireWritable(
    tx: Tx,
    rights: WriteRights,
    principal: AssignmentPrincipal,
    wanted: readonly AssignmentValues[],
    pathOf: PathOf,
  ): Promise<void> {
    wanted.forEach((terms, index) => {
      const problem = problemOf(terms, principal);
      if (problem !== null) throw invalidField(pathOf(problem.field, index), problem.message);
    });
    for (const terms of wanted) requireRight(terms, principal, rights);
    requireDistinct(wanted);
    const scopes = await this.repository.holdScopes(tx.manager, tx.tenantId, wanted);
    const bound = principal.ownerId === null ? null : await this.rulesIn(tx.manager, userOf(principal.ownerId), principal.tenantId);
    wanted.forEach((terms, index) => {
      const scope = scopes.get(scopeKey(terms));
      if (scope === undefined) throw invalidField(pathOf('scopeId', index), `The tenant has no ${terms.scopeKind} with this id.`);
      if (bound !== null && terms.effect === PermissionEffect.Allow && !holds(bound, terms.permissionName, scope)) {
        throw invalidField(pathOf('permissionName', index), `The owner of the token does not hold ${terms.permissionName} at this scope.`);
      }
    });
  }

  /** Runs work; when it takes one of the self-protected permissions from the caller itself, everything is undone. */
  private async keepingOwnRights<T>(tx: Tx, references: readonly PrincipalReference[], work: () => Promise<T>): Promise<T> {
    const own = referenceTo(tx.principal);
    if (own === null || isUnrestricted(tx.principal) || !references.some((reference) => isSamePrincipal(reference, own))) return work();
    const before = await this.protectedRightsOf(tx, own);
    const result = await work();
    const after = await this.protectedRightsOf(tx, own);
    const lost = before.filter((name) => !after.includes(name));
    if (lost.length > 0) throw invalid(`Nobody can take ${lost.join(' or ')} from themselves: ask another administrator.`);
    return result;
  }

  private async protectedRightsOf(tx: Tx, own: PrincipalReference): Promise<string[]> {
    const rules = await this.rulesIn(tx.manager, own, tenantOf(tx.principal));
    const server: Resource = { kind: 'Server' };
    const tenant: Resource = { kind: 'Tenant', tenantId: tx.tenantId };
    return SELF_PROTECTED.filter(
      (permission) => rules.decide(permission, permission.scopeKinds.includes(PermissionScopeKind.Tenant) ? tenant : server).allowed,
    ).map(({ name }) => name);
  }

  /** The rules of a principal as the transaction sees them. */
  private async rulesIn(manager: EntityManager, reference: PrincipalReference, tenantId: string | null): Promise<RuleSet> {
    const { rows } = await this.rules.load(reference.principalKind, reference.principalId, manager);
    return new RuleSet(countingRules({ tenantId }, rows));
  }

  private newRow(context: TenantContext, request: RequestedAssignment): PermissionAssignment {
    const { principalKind, principalId, permissionName, effect, scopeKind, scopeId, isEnabled, notes } = request;
    return {
      id: newGuid(),
      createdAt: this.clock.now(),
      principalKind,
      principalId,
      permissionName,
      effect,
      scopeKind,
      scopeId,
      owningTenantId: owningTenantOf(scopeKind, context.tenantId),
      isEnabled,
      notes,
      createdByPrincipalType: actorTypeOf(context.principal),
      createdByPrincipalId: idOf(context.principal),
    };
  }

  /** Logs changes of rows, and lets the caches forget what their principals could do. */
  private async log(
    tx: InTransaction<RequestContext>,
    changes: readonly (Pick<Change, 'action' | 'before' | 'after'> & { readonly row: PermissionAssignment })[],
  ): Promise<void> {
    for (const { row } of changes) tx.transaction.touch(row.principalKind, row.principalId);
    await this.changeLog.write(
      tx,
      ...changes.map(({ row, ...change }) => ({
        ...change,
        target: ChangeTarget.PermissionAssignment,
        targetId: row.id,
        tenantId: row.owningTenantId,
      })),
    );
  }
}

function requireOnePrincipal(reference: PrincipalReference, requests: readonly RequestedAssignment[]): void {
  const other = requests.findIndex((request) => !isSamePrincipal(request, reference));
  if (other !== -1) throw invalidField(inBatch('principalId', other), 'All assignments of one request must be of the same principal.');
}

function requireDistinct(wanted: readonly AssignmentValues[]): void {
  const keys = new Set(wanted.map((terms) => `${terms.permissionName} ${terms.effect} ${scopeKey(terms)}`));
  if (keys.size !== wanted.length) throw conflict('The request holds the same assignment twice.');
}

function requireRight(
  terms: Pick<AssignmentValues, 'effect' | 'scopeKind'>,
  principal: AssignmentPrincipal | null,
  rights: WriteRights,
): void {
  const missing = missingRight(terms, principal, rights);
  if (missing !== null) throw forbidden(`The permission ${missing.name} is required.`);
}

function unknownPrincipal(): Error {
  return invalidField('principalId', 'The tenant has no such principal.');
}

/** The caller's own holder of assignments; null for the service itself. */
function referenceTo(principal: Principal): PrincipalReference | null {
  if (principal.type === 'System') return null;
  return principal.type === 'User'
    ? userOf(principal.id)
    : { principalKind: PermissionPrincipalKind.ServiceAccount, principalId: principal.id };
}

function userOf(id: string): PrincipalReference {
  return { principalKind: PermissionPrincipalKind.User, principalId: id };
}

function holds(rules: RuleSet, permissionName: string, resource: Resource): boolean {
  const permission = findPermission(permissionName);
  return permission !== undefined && rules.decide(permission, resource).allowed;
}

function owningTenantOf(scopeKind: PermissionScopeKind, tenantId: string): string | null {
  return scopeKind === PermissionScopeKind.Server ? null : tenantId;
}

/** What presets grant a principal of a tenant, each permission once. */
function assignmentsOf(reference: PrincipalReference, presets: readonly PermissionPreset[], tenantId: string): RequestedAssignment[] {
  const permissions = new Set(presets.flatMap((preset) => preset.permissions));
  return [...permissions].map((permission) =>
    normalizeTerms(
      {
        principalKind: reference.principalKind,
        principalId: reference.principalId,
        permissionName: permission.name,
        effect: PermissionEffect.Allow,
        scopeKind: presetScopeOf(permission),
        scopeId: null,
        isEnabled: true,
        notes: null,
      },
      tenantId,
    ),
  );
}

function enabled({ permissionName, effect, scopeKind, scopeId, notes }: PermissionAssignment): AssignmentValues {
  return { permissionName, effect, scopeKind, scopeId, notes, isEnabled: true };
}

function describe(row: PermissionAssignment): PermissionAssignmentDto {
  const { id, principalKind, principalId, permissionName, effect, scopeKind, scopeId, notes, isEnabled, createdAt } = row;
  return { id, principalKind, principalId, permissionName, effect, scopeKind, scopeId, notes, isEnabled, createdAt };
}

function stateOf(row: PermissionAssignment): object {
  const { principalKind, principalId, permissionName, effect, scopeKind, scopeId, isEnabled, notes } = row;
  return { principalKind, principalId, permissionName, effect, scopeKind, scopeId, isEnabled, notes };
}
