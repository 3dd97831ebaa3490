import { problemOf } from '../../../problem/problem.js';
import { describeProblem } from '../../../ui/problem-text.js';
import type { Kind } from './act.js';

/** Result of an act on one device. */
export type Outcome = { readonly id: string } & (
  | { readonly kind: 'done' }
  /** The user lacks a permission: the sentence that says so. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'offline' }
  /** The agent cannot do it. */
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
);

/** Acts for which the agent is only sent a message. */
const ONLY_SENT: readonly Kind[] = ['refresh', 'restart', 'shutdown', 'update', 'uninstall'];
/** Beginning of the hub's answer if it could not do so: the same words for a failure of the agent and of the service. */
const NOT_SENT = 'An error occurred while ';

/** Words by which agents say that they cannot do something. */
const UNSUPPORTED = /\b(?:not supported|unsupported|not implemented)\b/i;

/** True if a message did not reach the agent. An offline device is the usual reason, but not the only one. */
export function wasNotSent(kind: Kind, error: unknown): boolean {
  const { status, message } = problemOf(error);
  return status === 409 && ONLY_SENT.includes(kind) && message.startsWith(NOT_SENT);
}

/** Result of a failed act on a device that is not known to be offline. */
export function outcomeOf(id: string, error: unknown): Outcome {
  const problem = problemOf(error);
  const kind = problem.status === 403 ? 'refused' : UNSUPPORTED.test(problem.message) ? 'unsupported' : 'failed';
  return { id, kind, reason: describeProblem(problem) };
}

const reasonOf = (outcome: Outcome): string | null => ('reason' in outcome ? outcome.reason : null);

interface Tally {
  readonly kind: Outcome['kind'];
  readonly reason: string | null;
  readonly count: number;
}

/** Numbers of devices by result: `58 done · 2 refused: You need the permission “Manage Device Power”. · 3 offline`. */
export function tally(outcomes: readonly Outcome[]): Tally[] {
  const counts = new Map<string, Tally>();
  for (const outcome of outcomes) {
    const { kind } = outcome;
    const reason = reasonOf(outcome);
    const key = `${kind} ${reason ?? ''}`;
    counts.set(key, { kind, reason, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** The devices for which another attempt may help at once: not those that are offline, refused it, or cannot do it. */
export const retried = (outcomes: readonly Outcome[]): string[] => outcomes.filter(({ kind }) => kind === 'failed').map(({ id }) => id);

const ATTENTION: Readonly<Record<Outcome['kind'], number>> = { failed: 0, refused: 1, unsupported: 2, offline: 3, done: 4 };

/** Results by urgency, each kind in the order in which it came. */
export const byAttention = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.toSorted((one, other) => ATTENTION[one.kind] - ATTENTION[other.kind]);
