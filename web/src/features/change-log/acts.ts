import type { Act } from '../../api/access/change-log.js';
import { type Entry, fieldsOf } from './entry.js';

/** Entries that belong together, as one line. */
export interface Line {
  readonly id: string;
  readonly createdAt: string;
  /** The entry that says what was done. */
  readonly head: Entry;
  /** The entries that were answered, in the order in which they were written; fewer than `total` of a large act. */
  readonly entries: readonly Entry[];
  readonly total: number;
  /** The acts that the line joins, by an entry of each. */
  readonly acts: readonly string[];
}

/** Actions that cause others, the first one of these the most: an invitation creates a user. */
const CAUSES = ['invite-created', 'invite-accepted', 'tenant-created', 'tenant-deleted', 'logon-token-created'];
/** Changes that follow from other changes. */
const CONSEQUENCES = new Set(['PermissionAssignment', 'PersonalAccessToken', 'LogonToken', 'Invite']);

/**
 * The lines of acts in their order. Acts that follow each other belong together where the same actor did them for the same request id: the
 * page gives all requests of one dialog the same one. An act that two pages hold counts once.
 */
export function linesOf(acts: readonly Act[]): readonly Line[] {
  const seen = new Set<string>();
  const groups: Act[][] = [];
  for (const act of acts) {
    if (act.entries.length === 0 || seen.has(act.id)) continue;
    seen.add(act.id);
    const last = groups.at(-1);
    if (last !== undefined && belongTogether(last[0], act)) last.push(act);
    else groups.push([act]);
  }
  return groups.map((group) => {
    const written = group.toReversed().flatMap(({ entries }) => entries);
    return {
      id: group[0].id,
      createdAt: group[0].createdAt,
      head: headOf(written),
      entries: written,
      total: group.reduce((sum, { total }) => sum + total, 0),
      acts: group.map(({ id }) => id),
    };
  });
}

function belongTogether(one: Act, other: Act): boolean {
  return one.requestId !== null && one.requestId === other.requestId && actorOf(one) === actorOf(other);
}

const actorOf = ({ entries }: Act): string | null | undefined =>
  entries.map(({ actorPrincipalId }) => actorPrincipalId).find((id) => id !== null);

/** The entry that caused the others, else the last one that is no consequence: what a deletion takes along is written before it. */
function headOf(entries: readonly Entry[]): Entry {
  const cause = CAUSES.map((action) => entries.find(({ actionType }) => actionType === action)).find((entry) => entry !== undefined);
  return cause ?? entries.findLast(({ targetType }) => !CONSEQUENCES.has(targetType)) ?? entries[0];
}

/** The principal of whom all entries of a line are new or all are deleted permissions; undefined for any other line. */
export function onePrincipalOf({ entries, total }: Line): { readonly id: string; readonly isGiven: boolean } | undefined {
  const [first] = entries;
  const id = fieldsOf(first).principalId;
  const isGiven = first.actionType === 'permission-assignment-created';
  const isSame = (entry: Entry): boolean => {
    const { principalId, effect } = fieldsOf(entry);
    return entry.actionType === first.actionType && principalId === id && effect !== 'Deny';
  };
  if (total < 2 || typeof id !== 'string' || !(isGiven || first.actionType === 'permission-assignment-deleted')) return undefined;
  return entries.every(isSame) && entries.length >= Math.min(total, 30) ? { id, isGiven } : undefined;
}
