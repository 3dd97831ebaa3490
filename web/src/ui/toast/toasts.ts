import type { ReactNode } from 'react';

import { problemOf } from '../../problem/problem.js';
import { store } from '../../state/store.js';
import { describeProblem } from '../problem-text.js';
import { t } from '../later-texts.js';

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly message: ReactNode;
  readonly look: 'ok' | 'bad';
  readonly action?: ToastAction;
  /** Error that it is about, if something failed. */
  readonly error?: unknown;
  /** Time for which it stays, in milliseconds; those about failures stay until they are closed. */
  readonly duration: number | null;
}

interface ToastOptions {
  /** Undoes the act. */
  readonly undo?: () => void;
  /** Another act than Undo. */
  readonly action?: ToastAction;
}

const DURATION = 5000;
/** A user who wants to undo needs time to read the toast and to find its button. */
const DURATION_WITH_ACTION = 10_000;
/** More would cover the page: the oldest goes. */
const MOST = 4;

/** Those that are shown. They name acts of a user, so that they go with the user. */
export const toasts = store<readonly Toast[]>([], 'goes');
let lastId = 0;

function add(added: Omit<Toast, 'id'>): number {
  lastId += 1;
  toasts.set([...toasts.get(), { ...added, id: lastId }].slice(-MOST));
  return lastId;
}

/** Reports a completed act, for a moment, with a button that undoes it if given. Returns the id for `dismissToast`. */
export function toast(message: ReactNode, { undo, action }: ToastOptions = {}): number {
  const button = undo === undefined ? action : { label: t('undo'), run: undo };
  return add({ message, look: 'ok', action: button, duration: button === undefined ? DURATION : DURATION_WITH_ACTION });
}

/** Reports a failure, aloud and until it is closed: an error of a query or mutation, or a sentence. */
export function toastProblem(error: unknown, action?: ToastAction): number {
  const message = typeof error === 'string' ? error : describeProblem(problemOf(error));
  return add({ message, look: 'bad', action, error, duration: null });
}

/** Takes a toast away before its time. */
export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((each) => each.id !== id));
}
