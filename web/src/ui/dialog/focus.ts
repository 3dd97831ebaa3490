import { type RefObject, useEffect } from 'react';

import type { Opener } from './opener.js';

const FIELDS = 'input:not([type="hidden"]):not(:disabled), select:not(:disabled), textarea:not(:disabled)';
/** Dialogs that are not on their way out. */
const OPEN = '[role$="dialog"][data-open]';

/**
 * Element that gets the focus when a dialog opens: the one marked with `data-initial-focus`, else the first field, else the first element.
 * Users of a touch screen look first: a field would bring the keyboard up over the dialog.
 */
export function initialFocusOf(dialog: HTMLElement | null, openedBy: string): HTMLElement | true {
  if (openedBy === 'touch') return true;
  return dialog?.querySelector<HTMLElement>('[data-initial-focus]') ?? dialog?.querySelector<HTMLElement>(FIELDS) ?? true;
}

const openers = new WeakMap<Element, Opener>();

/**
 * Returns the function that names the element to focus when a dialog closes: where the focus was before it, or before the dialog that it
 * has replaced. False if another dialog has replaced it, which has the focus now; true for what the kit knows.
 */
export function useFinalFocus(popup: RefObject<HTMLElement | null>, opener: Opener): () => HTMLElement | boolean {
  useEffect(() => {
    if (popup.current !== null) openers.set(popup.current, opener);
  });
  return () => {
    const element = elementOf(opener);
    const top = [...document.querySelectorAll(OPEN)].filter((dialog) => dialog !== popup.current).at(-1);
    return element === null || top === undefined || top.contains(element) ? (element ?? true) : false;
  };
}

/** The element of an opener that is still there. One in a dialog that is gone was reached from the opener of that dialog. */
function elementOf({ element, dialog }: Opener): HTMLElement | null {
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) return element;
  const former = dialog === null ? undefined : openers.get(dialog);
  return former === undefined ? null : elementOf(former);
}
