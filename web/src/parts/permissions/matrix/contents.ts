import type { Assignment, CatalogEntry, Preset } from '../../../api/access/permission-assignments.js';
import { type Cell, cellKey, cellOf, type Effect, isLegal, type Scope, usualScope } from '../../../model/permissions/scopes.js';

/*
 * Contents of the cells, of the principal's own assignments: as stored, and as set but not saved yet. A principal has at most one Allow and
 * one Deny of a permission at a scope.
 */

/** One assignment of a cell. */
export interface Slot {
  readonly isEnabled: boolean;
  readonly notes: string | null;
}

export type Content = Readonly<Record<Effect, Slot | null>>;
/** State of a cell. Disabled assignments do not count. */
export type CellState = Effect | 'none';
/** Contents of cells, by their key. */
export type Contents = ReadonlyMap<string, Content>;
/** Changed contents of cells, by their key. */
export type Changes = ReadonlyMap<string, Cell & { readonly content: Content }>;

export const EFFECTS: readonly Effect[] = ['Allow', 'Deny'];
export const EMPTY: Content = { Allow: null, Deny: null };

/** Contents of the cells by the stored assignments. */
export function contentsOf(assignments: readonly Assignment[]): Contents {
  const contents = new Map<string, Content>();
  for (const assignment of assignments) {
    const key = cellKey(cellOf(assignment));
    const { effect, isEnabled, notes } = assignment;
    contents.set(key, { ...(contents.get(key) ?? EMPTY), [effect]: { isEnabled, notes } });
  }
  return contents;
}

/** State of a cell: a Deny beats an Allow. */
export function stateOf({ Allow, Deny }: Content): CellState {
  if (Deny?.isEnabled === true) return 'Deny';
  return Allow?.isEnabled === true ? 'Allow' : 'none';
}

/** State of a cell after a click. */
export function nextState(state: CellState, mayDeny: boolean): CellState {
  if (state === 'none') return 'Allow';
  return state === 'Allow' && mayDeny ? 'Deny' : 'none';
}

/**
 * The content of a cell with only this effect. Notes are taken from the stored content, so that changing a cell back and forth loses none.
 */
export function withState(content: Content, state: CellState, stored: Content = EMPTY): Content {
  if (state === 'none') return EMPTY;
  return { ...EMPTY, [state]: { isEnabled: true, notes: (content[state] ?? stored[state])?.notes ?? null } };
}

/** True if an assignment in a cell counts. */
export const isOn = (content: Content): boolean => stateOf(content) !== 'none';

/** The content switched on or off as a whole. An empty cell stays empty. */
export function withEnabled(content: Content, isEnabled: boolean): Content {
  const switched = (slot: Slot | null): Slot | null => (slot === null ? null : { ...slot, isEnabled });
  return { Allow: switched(content.Allow), Deny: switched(content.Deny) };
}

/** The content with other notes. Blank ones are none. */
export function withNotes(content: Content, notes: Readonly<Partial<Record<Effect, string>>>): Content {
  const noted = (effect: Effect): Slot | null => {
    const slot = content[effect];
    const text = notes[effect]?.trim();
    return slot === null || text === undefined ? slot : { ...slot, notes: text === '' ? null : text };
  };
  return { Allow: noted('Allow'), Deny: noted('Deny') };
}

const isSameSlot = (a: Slot | null, b: Slot | null): boolean => a?.isEnabled === b?.isEnabled && a?.notes === b?.notes;
const isSame = (a: Content, b: Content): boolean => EFFECTS.every((effect) => isSameSlot(a[effect], b[effect]));

/** Content of a cell once the changes are saved. */
export const contentOf = (key: string, stored: Contents, changes: Changes): Content =>
  changes.get(key)?.content ?? stored.get(key) ?? EMPTY;

/** The changes that are not stored yet. */
export function pendingOf(changes: Changes, stored: Contents): Changes {
  return new Map([...changes].filter(([key, { content }]) => !isSame(content, stored.get(key) ?? EMPTY)));
}

/** The changes with more cells set. A cell that is back at its stored content is no change. */
export function withCells(changes: Changes, cells: readonly Cell[], set: (content: Content, stored: Content) => Content, stored: Contents) {
  const next = new Map(changes);
  for (const cell of cells) {
    const key = cellKey(cell);
    next.set(key, { ...cell, content: set(contentOf(key, stored, changes), stored.get(key) ?? EMPTY) });
  }
  return pendingOf(next, stored);
}

/** Effect of a preset on the cells: those that get a new Allow, those that it switches on again, and those that have an Allow already. */
export interface PresetEffect {
  readonly added: readonly Cell[];
  readonly enabled: readonly Cell[];
  readonly present: readonly Cell[];
  /** Permissions of the preset that cannot be assigned at the scope. */
  readonly impossible: readonly string[];
}

/**
 * Cells that a preset would change. In the tenant each permission is allowed there or at the server, as in the service; at a narrower scope
 * only where it can be assigned. A Deny stays.
 */
export function effectOf(preset: Preset, catalog: readonly CatalogEntry[], scope: Scope, stored: Contents, changes: Changes): PresetEffect {
  const names = new Set(preset.permissions);
  const named = catalog.filter(({ name }) => names.has(name));
  const isPossible = (entry: CatalogEntry): boolean => scope.kind === 'Tenant' || isLegal(entry, scope.kind, false);
  const cells = named
    .filter(isPossible)
    .map((entry): Cell => ({ permission: entry.name, scope: scope.kind === 'Tenant' ? usualScope(entry, scope.id ?? '') : scope }));
  const allowOf = (cell: Cell): Slot | null => contentOf(cellKey(cell), stored, changes).Allow;
  return {
    added: cells.filter((cell) => allowOf(cell) === null),
    enabled: cells.filter((cell) => allowOf(cell)?.isEnabled === false),
    present: cells.filter((cell) => allowOf(cell)?.isEnabled === true),
    impossible: named.filter((entry) => !isPossible(entry)).map(({ name }) => name),
  };
}

/** The content with an Allow that counts; its Deny stays. */
export const withAllow = (content: Content, stored: Content): Content => ({
  ...content,
  Allow: { isEnabled: true, notes: (content.Allow ?? stored.Allow)?.notes ?? null },
});
