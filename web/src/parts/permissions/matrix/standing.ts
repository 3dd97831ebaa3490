import type { Assignment, CatalogEntry } from '../../../api/access/permission-assignments.js';
import { type Changes, EFFECTS } from './contents.js';
import { grouped } from './grouped.js';
import { type Step, stepKey } from './plan.js';
import { type Cell, cellKey, cellOf, type Effect, isLegal, reaches } from '../../../model/permissions/scopes.js';

/*
 * Effect of assignments, the principal's own and those of its groups together. Only to inform: the service alone decides.
 */

/** An assignment that counts. */
export interface Grant extends Cell {
  readonly effect: Effect;
  /** The group that it comes through; null for the principal's own. */
  readonly groupId: string | null;
}

/** The enabled assignments, each with the group that holds it. */
export function grantsOf(assignments: readonly Assignment[]): readonly Grant[] {
  return assignments.flatMap((each) =>
    each.isEnabled ? [{ ...cellOf(each), effect: each.effect, groupId: each.principalKind === 'UserGroup' ? each.principalId : null }] : [],
  );
}

/** Grants of a principal's groups, by cell. */
export function broughtBy(groupAssignments: readonly Assignment[]): ReadonlyMap<string, readonly Grant[]> {
  return grouped(grantsOf(groupAssignments), cellKey);
}

/** The denial that keeps an Allow from having any effect; null where none does for sure. */
const outvoting = (allow: Grant, grants: readonly Grant[]): Grant | null =>
  grants.find(({ effect, permission, scope }) => effect === 'Deny' && permission === allow.permission && reaches(scope, allow.scope)) ??
  null;

/** Headline figures. */
export interface Summary {
  /** Permissions that can be used somewhere. */
  readonly usable: number;
  readonly total: number;
  /** Of those, the number that each group alone grants. */
  readonly through: readonly { readonly groupId: string; readonly count: number }[];
  /** Permissions that are denied somewhere. */
  readonly denied: number;
}

export function summaryOf(catalog: readonly CatalogEntry[], grants: readonly Grant[], isOfServer: boolean): Summary {
  const byPermission = grouped(grants, ({ permission }) => permission);
  const through = new Map<string, number>();
  let [usable, denied] = [0, 0];
  for (const entry of catalog) {
    const held = byPermission.get(entry.name) ?? [];
    if (held.some(({ effect }) => effect === 'Deny')) denied += 1;
    const allows = held.filter(
      (each) => each.effect === 'Allow' && isLegal(entry, each.scope.kind, isOfServer) && outvoting(each, held) === null,
    );
    if (allows.length === 0) continue;
    usable += 1;
    const [{ groupId }] = allows;
    if (groupId !== null && allows.every((each) => each.groupId !== null)) through.set(groupId, (through.get(groupId) ?? 0) + 1);
  }
  return { usable, total: catalog.length, through: [...through].map(([groupId, count]) => ({ groupId, count })), denied };
}

/** Grants that count once the changes are saved. */
export function grantsAfter(own: readonly Assignment[], groupAssignments: readonly Assignment[], changes: Changes): readonly Grant[] {
  const unchanged = own.filter((each) => !changes.has(cellKey(cellOf(each))));
  const changed = [...changes.values()].flatMap(({ content, permission, scope }) =>
    EFFECTS.flatMap((effect): Grant[] => (content[effect]?.isEnabled === true ? [{ permission, scope, effect, groupId: null }] : [])),
  );
  return [...grantsOf(unchanged), ...changed, ...grantsOf(groupAssignments)];
}

/** An Allow without effect, and the Deny that outvotes it. */
export interface Outvoted {
  readonly allow: Grant;
  readonly deny: Grant;
}

/** Grants that a plan leaves without effect: an Allow that it adds under a Deny, or one that a Deny of the plan outvotes. */
export function outvotedBy(plan: readonly Step[], after: readonly Grant[]): readonly Outvoted[] {
  const added = new Set(plan.filter(({ act }) => act === 'create' || act === 'enable').map(stepKey));
  const isAdded = (grant: Grant): boolean => grant.groupId === null && added.has(stepKey(grant));
  return after.flatMap((allow) => {
    const deny = allow.effect === 'Allow' ? outvoting(allow, after) : null;
    // A Deny in place of an Allow of the same cell is intended.
    return deny !== null && (isAdded(allow) || (isAdded(deny) && cellKey(allow) !== cellKey(deny))) ? [{ allow, deny }] : [];
  });
}

/** The steps that remove rights which nobody could then assign again. */
export function protectedSteps(plan: readonly Step[], catalog: readonly CatalogEntry[]): readonly Step[] {
  const kept = new Set(catalog.filter(({ selfRemovable }) => !selfRemovable).map(({ name }) => name));
  return plan.filter(({ effect, slot, wasEnabled, permission }) => {
    const isEnabled = slot?.isEnabled === true;
    return kept.has(permission) && (effect === 'Allow' ? wasEnabled && !isEnabled : isEnabled && !wasEnabled);
  });
}
