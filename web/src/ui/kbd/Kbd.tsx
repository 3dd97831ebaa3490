import { Fragment, type ReactNode } from 'react';

import { t } from '../texts.js';
import css from './Kbd.module.css';
import { capsOf } from './keys.js';
import { isMac } from './shortcuts.js';

/** A shortcut as it stands on the keyboard: `keys` joined by +, `Mod` for Ctrl or ⌘. Those pressed one after another stand apart: `g d`. */
export function Kbd({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span className={css.keys}>
      {keys.split(' ').map((stroke, index) => (
        <Fragment key={stroke}>
          {index > 0 && <span className={css.then}>{t('keys-then')}</span>}
          {capsOf(stroke, isMac).map((cap) => (
            <kbd key={cap} className={css.key}>
              {cap}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
