import { useEffect, useEffectEvent } from 'react';

import { isAtRest } from '../kbd/at-rest.js';
import type { Pressed } from '../kbd/keys.js';
import { shortcutOf } from '../kbd/shortcuts.js';
import { GRID_KEYS } from './keys.js';

interface KeysAtRest {
  /** The row that the keys begin at; undefined while it is loading. */
  readonly hasRow: boolean;
  focusRow(this: void): void;
  /** Acts on a key as if the row had the focus. False if the key means nothing. */
  act(this: void, event: Pressed): boolean;
}

/** Has the keys of a grid hold as long as no control of the page has the focus. */
export function useKeysAtRest(isMain: boolean, { hasRow, focusRow, act }: KeysAtRest): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isAtRest(event.target) || !hasRow) return;
    const id = shortcutOf(GRID_KEYS, event);
    // The first step leads to the row that the keys begin at.
    if (id === 'row-next' || id === 'row-previous') focusRow();
    else if (!act(event)) return;
    else if (id === 'row-select' || id === 'row-menu') focusRow();
    event.preventDefault();
  });
  useEffect(() => {
    if (!isMain) return undefined;
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isMain]);
}
