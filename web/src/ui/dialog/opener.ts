import { useState } from 'react';

/** The place of the focus when a dialog opened. */
export interface Opener {
  readonly element: Element | null;
  /** The dialog that contains the element. */
  readonly dialog: Element | null;
}

const NOWHERE: Opener = { element: null, dialog: null };

/** Returns where the focus was when the dialog opened. It is read before the dialog's own fields can take the focus by `autoFocus`. */
export function useOpener(open: boolean): Opener {
  const [wasOpen, setWasOpen] = useState(false);
  const [opener, setOpener] = useState(NOWHERE);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) {
      const element = document.activeElement;
      setOpener({ element, dialog: element?.closest('[role$=dialog]') ?? null });
    }
  }
  return opener;
}
