import { useSyncExternalStore } from 'react';

import { hooks } from '../api/client.js';

/*
 * What a refused request waits for: that its user signs in again, or proves again who they are. A dialog over the page asks for it; the page
 * and what was typed stay. All requests that were refused meanwhile wait for the same answer.
 */

export type NeededProof = 'sign-in' | 'step-up';

interface Waiting {
  readonly kind: NeededProof;
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

let waiting: Waiting | null = null;
const listeners = new Set<() => void>();

function become(next: Waiting | null): void {
  waiting = next;
  for (const listener of listeners) listener();
}

function ask(kind: NeededProof): Promise<void> {
  if (waiting !== null) return waiting.promise;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  become({ kind, promise, resolve, reject });
  return promise;
}

hooks.onSignedOut = () => ask('sign-in');
hooks.onStepUp = () => ask('step-up');

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The proof that requests wait for; null while none does. */
export const useNeededProof = (): NeededProof | null => useSyncExternalStore(onChange, () => waiting?.kind ?? null);

/** The proof was given: the refused requests are sent again. */
export function proofGiven(): void {
  waiting?.resolve();
  become(null);
}

/** The user gave up: the refused requests fail. */
export function proofDeclined(reason: Error): void {
  waiting?.reject(reason);
  become(null);
}
