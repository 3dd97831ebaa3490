import { problemOf } from '../../../problem/problem.js';
import {
  type AssignmentFields,
  createAssignments,
  deleteAssignments,
  type Principal,
  updateAssignment,
} from '../../../api/access/permission-assignments.js';
import { type Call, callsOf, type Step, stepKey } from './plan.js';

const fieldsOf = ({ permission, effect, scope, slot }: Step): AssignmentFields => ({
  permissionName: permission,
  effect,
  scopeKind: scope.kind,
  scopeId: scope.id,
  isEnabled: slot?.isEnabled ?? false,
  notes: slot?.notes ?? null,
});

/** A call of a save that failed, and with it everything after it. */
export class SaveError extends Error {
  override readonly name = 'SaveError';

  constructor(
    readonly failure: unknown,
    readonly failed: Call,
    /** Steps that had been saved before. */
    readonly saved: readonly Step[],
  ) {
    super('The save was not finished.', { cause: failure });
  }

  /** Refusal reasons by step key, if the service gave any. */
  get reasons(): ReadonlyMap<string, string> {
    const { errors = {} } = problemOf(this.failure).problem;
    return new Map(
      Object.entries(errors).flatMap(([field, sentences]): [string, string][] => {
        const index = /^assignments\[(\d+)\]/.exec(field)?.[1];
        const step = index === undefined ? undefined : this.failed.steps[Number(index)];
        return step === undefined ? [] : [[stepKey(step), sentences.join(' ')]];
      }),
    );
  }
}

/** Carries out a plan in its order. Throws a SaveError at the first call that fails. */
export async function save(principal: Principal, plan: readonly Step[]): Promise<void> {
  const saved: Step[] = [];
  for (const call of callsOf(plan)) {
    try {
      await send(principal, call);
    } catch (error) {
      throw new SaveError(error, call, saved);
    }
    saved.push(...call.steps);
  }
}

async function send(principal: Principal, { act, steps }: Call): Promise<void> {
  if (act === 'create') {
    await createAssignments(principal, steps.map(fieldsOf));
    return;
  }
  if (act === 'delete') {
    await deleteAssignments(steps.flatMap(({ assignmentId }) => assignmentId ?? []));
    return;
  }
  for (const step of steps) {
    await updateAssignment(step.assignmentId ?? '', fieldsOf(step));
  }
}
