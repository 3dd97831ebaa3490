import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide';
import type { ReactNode } from 'react';

import type { TerminalSession } from '../../../live/sessions/terminal/terminal-session.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { Icon } from '../../../ui/icon/Icon.js';
import css from './KeyRow.module.css';

const ARROWS = [
  { final: 'A', icon: ArrowUp, label: 'key-up' },
  { final: 'B', icon: ArrowDown, label: 'key-down' },
  { final: 'D', icon: ArrowLeft, label: 'key-left' },
  { final: 'C', icon: ArrowRight, label: 'key-right' },
] as const;
const SIGNS = ['|', '~', '/', '-'];

/** The keys that keyboards of phones lack. Ctrl and Alt stay pressed until the next key. */
export function KeyRow({ terminal }: { readonly terminal: TerminalSession }): ReactNode {
  const { screen, sticky } = terminal;
  const press = (keys: string): void => {
    // Programs such as editors ask for another form of the arrow keys.
    terminal.type(screen.terminal.modes.applicationCursorKeysMode ? keys.replace('\x1b[', '\x1bO') : keys);
    screen.terminal.focus();
  };
  const key = (shown: ReactNode, keys: string, label?: string): ReactNode => (
    <button
      key={keys}
      type="button"
      className={css.key}
      aria-label={label}
      // The keyboard of the phone stays where it is.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => press(keys)}
    >
      {shown}
    </button>
  );
  const modifier = (name: 'ctrl' | 'alt'): ReactNode => (
    <button
      type="button"
      className={css.key}
      aria-pressed={sticky[name]}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => terminal.setSticky({ ...sticky, [name]: !sticky[name] })}
    >
      {t(`key-${name}`)}
    </button>
  );
  return (
    <div className={css.row} role="toolbar" aria-label={t('keys')}>
      {key(t('key-esc'), '\x1b')}
      {key(t('key-tab'), '\t')}
      {modifier('ctrl')}
      {modifier('alt')}
      {ARROWS.map(({ final, icon, label }) => key(<Icon of={icon} />, `\x1b[${final}`, t(label)))}
      {SIGNS.map((sign) => key(sign, sign))}
    </div>
  );
}
