import type { Schemas } from '../../api/client.js';
import type { Assignment, CatalogEntry, Preset } from '../permissions.js';

/*
 * What the matrix does when a cell is set, apart from how it looks. A cell is one permission at one scope. Assignments that are disabled
 * count for nothing, and the matrix leaves them alone.
 */

export type Effect = Schemas['PermissionEffect'];
export type CellState = Effect | 'none';
export type ScopeKind = Schemas['PermissionScopeKind'];

/** Where a permission is assigned. The id is null at the server. */
export interface Scope {
  readonly kind: ScopeKind;
  readonly id: string | null;
}

export interface Cell {
  readonly permission: string;
  readonly scope: Scope;
}

/** What cells are set to and not saved yet, by their key. */
export type Changes = ReadonlyMap<string, Cell & { readonly state: CellState }>;

/** What a save does. Creating comes first. */
export interface Plan {
  readonly creates: readonly (Cell & { readonly effect: Effect })[];
  readonly deletes: readonly Assignment[];
}

/** Broad scopes stand before narrow ones. */
const ORDER: readonly ScopeKind[] = ['Server', 'Tenant', 'CustomerTenant', 'DeviceGroup', 'Device', 'UserGroup'];

export const scopeKey = ({ kind, id }: Scope): string => `${kind}:${id ?? ''}`;
export const cellKey = ({ permission, scope }: Cell): string => `${permission}@${scopeKey(scope)}`;

const cellOf = ({ permissionName, scopeKind, scopeId }: Assignment): Cell => ({
  permission: permissionName,
  scope: { kind: scopeKind, id: scopeId },
});

/** The scopes that have assignments, and those given besides, each once, the broadest first. */
export function columnsOf(assignments: readonly Assignment[], besides: readonly Scope[]): readonly Scope[] {
  const scopes = new Map([...besides, ...assignments.map((each) => cellOf(each).scope)].map((scope) => [scopeKey(scope), scope]));
  return [...scopes.values()].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/**
 * Whether a permission can be assigned at a scope. A principal of a tenant holds only those server-wide that cannot be assigned within a
 * tenant: an Allow of another one would count for nothing.
 */
export function isLegal({ allowedScopeKinds }: Pick<CatalogEntry, 'allowedScopeKinds'>, kind: ScopeKind, isOfServer: boolean): boolean {
  const kinds = allowedScopeKinds ?? [];
  return kinds.includes(kind) && (kind !== 'Server' || isOfServer || kinds.length === 1);
}

/** Where a permission is meant unless told otherwise: in the tenant, or at the server if it can be assigned only there. */
export const usualScope = ({ allowedScopeKinds }: Pick<CatalogEntry, 'allowedScopeKinds'>, tenantId: string): Scope =>
  (allowedScopeKinds ?? []).includes('Tenant') ? { kind: 'Tenant', id: tenantId } : { kind: 'Server', id: null };

/** What the stored assignments say in each cell: a Deny beats an Allow. */
export function storedStates(assignments: readonly Assignment[]): ReadonlyMap<string, Effect> {
  const states = new Map<string, Effect>();
  for (const assignment of assignments) {
    if (!assignment.isEnabled) continue;
    const key = cellKey(cellOf(assignment));
    if (states.get(key) !== 'Deny') states.set(key, assignment.effect);
  }
  return states;
}

/** What a click makes of a cell. */
export function nextState(state: CellState, mayDeny: boolean): CellState {
  if (state === 'none') return 'Allow';
  return state === 'Allow' && mayDeny ? 'Deny' : 'none';
}

/** The changes with one cell set. A cell that is back at what is stored is no change. */
export function withCell(changes: Changes, cell: Cell, state: CellState, stored: ReadonlyMap<string, Effect>): Changes {
  const next = new Map(changes);
  const key = cellKey(cell);
  if (state === (stored.get(key) ?? 'none')) next.delete(key);
  else next.set(key, { ...cell, state });
  return next;
}

/** The changes with a preset: each of its permissions is allowed in the tenant where that is possible, else at the server. Denials stay. */
export function withPreset(
  changes: Changes,
  preset: Preset,
  catalog: readonly CatalogEntry[],
  tenantId: string,
  stored: ReadonlyMap<string, Effect>,
): Changes {
  const names = new Set(preset.permissions);
  return catalog
    .filter(({ name }) => names.has(name))
    .reduce<Changes>((result, { name, allowedScopeKinds }) => {
      const cell = { permission: name, scope: usualScope({ allowedScopeKinds }, tenantId) };
      const state = result.get(cellKey(cell))?.state ?? stored.get(cellKey(cell)) ?? 'none';
      return state === 'none' ? withCell(result, cell, 'Allow', stored) : result;
    }, changes);
}

/**
 * What has to be created and deleted so that every changed cell says what it is set to. As creating comes first, and a Deny beats an Allow,
 * nothing is allowed in between that neither the old nor the new assignments allow.
 */
export function planOf(assignments: readonly Assignment[], changes: Changes): Plan {
  const enabled = assignments.filter(({ isEnabled }) => isEnabled);
  const deletes = enabled.filter((assignment) => {
    const change = changes.get(cellKey(cellOf(assignment)));
    return change !== undefined && change.state !== assignment.effect;
  });
  const held = new Set(enabled.map((each) => `${each.effect} ${cellKey(cellOf(each))}`));
  const creates = [...changes].flatMap(([key, { permission, scope, state }]) =>
    state === 'none' || held.has(`${state} ${key}`) ? [] : [{ permission, scope, effect: state }],
  );
  return { creates, deletes };
}

/** The catalogue by category, in its own order, narrowed to what a text occurs in. */
export function categoriesOf(catalog: readonly CatalogEntry[], text: string): readonly (readonly [string, readonly CatalogEntry[]])[] {
  const wanted = text.trim().toLowerCase();
  const found = catalog.filter(({ name, displayName, description }) =>
    [name, displayName, description].some((each) => each.toLowerCase().includes(wanted)),
  );
  return [...Map.groupBy(found, ({ categoryLabel }) => categoryLabel)];
}
