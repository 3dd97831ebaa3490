import { Search } from 'lucide-react';
import type { ReactNode } from 'react';

import { ariaKeysOf, keysOf } from '../../keyboard/shortcuts.js';
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
      <Search size={16} strokeWidth={1.75} aria-hidden />
      <span className={css.words}>{label}</span>
      <Kbd keys={keysOf('palette')} />
    </button>
  );
}
