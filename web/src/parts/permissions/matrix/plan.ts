import type { Assignment } from '../../../api/access/permission-assignments.js';
import { type Changes, EFFECTS, type Slot } from './contents.js';
import { type Cell, cellKey, cellOf, type Effect } from '../../../model/permissions/scopes.js';

type Act = 'create' | 'enable' | 'disable' | 'delete' | 'note';

/** One thing that a save does to one assignment. */
export interface Step extends Cell {
  readonly act: Act;
  readonly effect: Effect;
  /** State of the assignment afterwards; null where it is deleted. */
  readonly slot: Slot | null;
  /** True if it counted before. */
  readonly wasEnabled: boolean;
  /** Null where it is created. */
  readonly assignmentId: string | null;
}

/**
 * The order of a save. First additions, then removals; among additions denials first, among removals denials last. So nothing is allowed in
 * between that neither the old nor the new assignments allow, because a Deny beats an Allow.
 */
const ORDER: readonly string[] = [
  'enable Deny',
  'create Deny',
  'create Allow',
  'enable Allow',
  'disable Allow',
  'delete Allow',
  'delete Deny',
  'disable Deny',
  'note Allow',
  'note Deny',
];

export const stepKey = ({ effect, ...cell }: Pick<Step, 'effect' | 'permission' | 'scope'>): string => `${effect} ${cellKey(cell)}`;

/** Steps that bring every changed cell to its content, in this order. */
export function planOf(assignments: readonly Assignment[], changes: Changes): readonly Step[] {
  const stored = new Map(assignments.map((each) => [stepKey({ ...cellOf(each), effect: each.effect }), each]));
  const steps = [...changes.values()].flatMap(({ content, permission, scope }) =>
    EFFECTS.flatMap((effect): Step[] => {
      const assignment = stored.get(stepKey({ permission, scope, effect }));
      const slot = content[effect];
      const act = actOf(assignment, slot);
      if (act === null) return [];
      return [{ act, effect, permission, scope, slot, wasEnabled: assignment?.isEnabled === true, assignmentId: assignment?.id ?? null }];
    }),
  );
  const rank = ({ act, effect }: Step): number => ORDER.indexOf(`${act} ${effect}`);
  return steps.sort((a, b) => rank(a) - rank(b));
}

function actOf(assignment: Assignment | undefined, slot: Slot | null): Act | null {
  if (assignment === undefined) return slot === null ? null : 'create';
  if (slot === null) return 'delete';
  if (slot.isEnabled !== assignment.isEnabled) return slot.isEnabled ? 'enable' : 'disable';
  return slot.notes === assignment.notes ? null : 'note';
}

/** Calls that carry out a plan: creating and deleting go many at a time, other changes one by one. */
export interface Call {
  readonly act: Act;
  readonly steps: readonly Step[];
}

/** As many as the service takes in one call. */
const MOST = 1000;

export function callsOf(plan: readonly Step[]): readonly Call[] {
  const calls: { act: Act; steps: Step[] }[] = [];
  for (const step of plan) {
    const last = calls.at(-1);
    const goesAlong = last?.act === step.act && (step.act === 'create' || step.act === 'delete') && last.steps.length < MOST;
    if (last !== undefined && goesAlong) last.steps.push(step);
    else calls.push({ act: step.act, steps: [step] });
  }
  return calls;
}
