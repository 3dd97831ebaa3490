import { useState } from 'react';

interface Shown<T> {
  /** Object of the dialog, also while it fades; null before it first opens. */
  readonly subject: T | null;
  readonly isOpen: boolean;
  /** Number of openings: as a key it makes each opening start afresh. */
  readonly opening: number;
}

/** Contents of a dialog for `subject`. A dialog that closes keeps its words until it has faded. */
export function useShown<T>(subject: T | null): Shown<T> {
  const isOpen = subject !== null;
  const [shown, setShown] = useState<Shown<T>>({ subject, isOpen, opening: 0 });
  if (isOpen === shown.isOpen && (!isOpen || subject === shown.subject)) return shown;
  const opening = isOpen && !shown.isOpen ? shown.opening + 1 : shown.opening;
  const next = { subject: subject ?? shown.subject, isOpen, opening };
  setShown(next);
  return next;
}
