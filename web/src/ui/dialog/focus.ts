import { useState } from 'react';

const FIELDS = 'input:not([type="hidden"]):not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/**
 * Element that gets the focus when a dialog opens: the one marked with `data-initial-focus`, else the first field, else the first element.
 * Users of a touch screen look first: a field would bring the keyboard up over the dialog.
 */
export function initialFocusOf(dialog: HTMLElement | null, openedBy: string): HTMLElement | true {
  if (openedBy === 'touch') return true;
  return dialog?.querySelector<HTMLElement>('[data-initial-focus]') ?? dialog?.querySelector<HTMLElement>(FIELDS) ?? true;
}

/**
 * Element that had the focus when the dialog opened, to give it back. It is read before the dialog's own fields can take the focus by
 * `autoFocus`.
 */
export function useOpener(open: boolean): () => HTMLElement | true {
  const [wasOpen, setWasOpen] = useState(false);
  const [opener, setOpener] = useState<Element | null>(null);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setOpener(document.activeElement);
  }
  return () => (opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : true);
}
