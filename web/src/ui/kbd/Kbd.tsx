import type { ReactNode } from 'react';

import css from './Kbd.module.css';
import { capsOf } from './keys.js';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A shortcut as it stands on the keyboard: `keys` joined by +, `Mod` for Ctrl or ⌘. */
export function Kbd({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span className={css.keys}>
      {capsOf(keys, isMac).map((cap) => (
        <kbd key={cap} className={css.key}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
