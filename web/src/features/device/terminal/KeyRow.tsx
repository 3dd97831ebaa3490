import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';

import type { TerminalSession } from '../../../live/sessions/terminal/terminal-session.js';
import { t } from '../../../live/sessions/terminal/texts.js';
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
    terminal.type(keys);
    screen.terminal.focus();
  };
  const key = (label: ReactNode, keys: string, name?: string): ReactNode => (
    <button
      type="button"
      className={css.key}
      aria-label={name}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => press(keys)}
    >
      {label}
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
      {ARROWS.map(({ final, icon: Icon, label }) => (
        <button
          key={final}
          type="button"
          className={css.key}
          aria-label={t(label)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => press(`${screen.terminal.modes.applicationCursorKeysMode ? '\x1bO' : '\x1b['}${final}`)}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden />
        </button>
      ))}
      {SIGNS.map((sign) => (
        <button key={sign} type="button" className={css.key} onPointerDown={(event) => event.preventDefault()} onClick={() => press(sign)}>
          {sign}
        </button>
      ))}
    </div>
  );
}
