import { Search } from 'lucide';
import type { ReactNode } from 'react';

import { ariaKeysOf, keysOf } from '../../keyboard/shortcuts.js';
import { Icon } from '../../ui/icon/Icon.js';
import { Kbd } from '../../ui/kbd/Kbd.js';
import { loadPalette, palette } from './palette.js';
import css from './PaletteButton.module.css';

/** Opens the palette. It looks like the field that it leads to. */
export function PaletteButton({ label }: { readonly label: string }): ReactNode {
  return (
    <button
      type="button"
      className={css.opener}
      aria-keyshortcuts={ariaKeysOf('palette')}
      onPointerEnter={() => void loadPalette()}
      onFocus={() => void loadPalette()}
      onClick={palette.open}
    >
      <Icon of={Search} />
      <span className={css.words}>{label}</span>
      <Kbd keys={keysOf('palette')} />
    </button>
  );
}
