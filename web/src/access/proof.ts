import { hooks } from '../api/client.js';
import { ProblemError } from '../problem/problem.js';
import { store } from '../state/store.js';

/*
 * Proofs that refused requests wait for: the user signs in again, or confirms who they are. A dialog over the page asks for it; the page
 * and the typed values stay. All requests that are refused until then wait for the same answer.
 */

export type NeededProof = 'sign-in' | 'step-up';

interface Waiting {
  readonly kind: NeededProof;
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

const needed = store<Waiting | null>(null, () => proofDeclined(new ProblemError(401, {})));

function ask(kind: NeededProof): Promise<void> {
  const waiting = needed.get();
  if (waiting !== null) return waiting.promise;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  needed.set({ kind, promise, resolve, reject });
  return promise;
}

// A request that began before the last sign-in was refused for a session that is over.
hooks.onSignedOut = async (since) => (since < hooks.signIns ? undefined : ask('sign-in'));
hooks.onStepUp = () => ask('step-up');

/** The proof that requests wait for; null while none does. */
export const useNeededProof = (): NeededProof | null => needed.useValue()?.kind ?? null;

/** True while requests wait for a sign-in. */
export const waitsForSignIn = (): boolean => needed.get()?.kind === 'sign-in';

/** The proof was given: the refused requests are sent again. */
export function proofGiven(): void {
  needed.get()?.resolve();
  needed.set(null);
}

/** The user gave up: the refused requests fail. */
export function proofDeclined(reason: Error): void {
  needed.get()?.reject(reason);
  needed.set(null);
}
