import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Ellipsis, Keyboard } from 'lucide';
import { type ReactNode, useState } from 'react';

import type { DesktopSession } from '../../../live/sessions/desktop/desktop-session.js';
import type { Modifier } from '../../../live/sessions/desktop/input/sticky-keys.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { Icon } from '../../../ui/icon/Icon.js';
import css from './KeyBar.module.css';

/** A key by its name, which is also that of its place, and what is written on it. */
type Key = readonly [key: string, shown: string];

const FIRST: readonly Key[] = [
  ['Escape', 'Esc'],
  ['Tab', 'Tab'],
];
const MODIFIERS: readonly (readonly [modifier: Modifier, shown: string])[] = [
  ['Control', 'Ctrl'],
  ['Alt', 'Alt'],
  ['Meta', 'Win'],
];
const ARROWS = [
  { key: 'ArrowLeft', icon: ArrowLeft, label: 'key-left' },
  { key: 'ArrowUp', icon: ArrowUp, label: 'key-up' },
  { key: 'ArrowDown', icon: ArrowDown, label: 'key-down' },
  { key: 'ArrowRight', icon: ArrowRight, label: 'key-right' },
] as const;
const DELETE: Key = ['Delete', 'Del'];
const MORE: readonly Key[] = [
  ['Home', 'Home'],
  ['End', 'End'],
  ['PageUp', 'PgUp'],
  ['PageDown', 'PgDn'],
  ['Insert', 'Ins'],
  ...Array.from({ length: 12 }, (_, index): Key => [`F${index + 1}`, `F${index + 1}`]),
];

/** The keys that keyboards of phones lack, and the button that shows such a keyboard. */
export function KeyBar({ desktop }: { readonly desktop: DesktopSession }): ReactNode {
  const [hasMore, setMore] = useState(false);
  const { keyboard, screenKeyboard } = desktop.surface;
  const stroke = (name: string): void => {
    keyboard.stroke(name, name);
    screenKeyboard.reset();
  };
  const key = ([name, shown]: Key): ReactNode => (
    <KeyButton key={name} onPress={() => stroke(name)}>
      {shown}
    </KeyButton>
  );
  const modifier = ([name, shown]: (typeof MODIFIERS)[number]): ReactNode => (
    <KeyButton
      key={name}
      label={keyboard.stateOf(name) === 'locked' ? t('key-locked', { key: shown }) : undefined}
      isPressed={keyboard.stateOf(name) !== 'up'}
      isLocked={keyboard.stateOf(name) === 'locked'}
      onPress={() => keyboard.tap(name)}
    >
      {shown}
    </KeyButton>
  );
  return (
    <div className={css.bar} role="toolbar" aria-label={t('keys-bar')}>
      {hasMore && (
        <div className={css.more}>
          {modifier(['Shift', 'Shift'])}
          {MORE.map(key)}
        </div>
      )}
      <div className={css.row}>
        <KeyButton label={t('screen-keyboard')} isPressed={screenKeyboard.isShown} onPress={() => screenKeyboard.toggle()}>
          <Icon of={Keyboard} />
        </KeyButton>
        {FIRST.map(key)}
        {MODIFIERS.map(modifier)}
        {ARROWS.map(({ key: name, icon, label }) => (
          <KeyButton key={name} label={t(label)} onPress={() => stroke(name)}>
            <Icon of={icon} />
          </KeyButton>
        ))}
        {key(DELETE)}
        <KeyButton label={t('more-keys')} isPressed={hasMore} onPress={() => setMore(!hasMore)}>
          <Icon of={Ellipsis} />
        </KeyButton>
      </div>
    </div>
  );
}

interface KeyButtonProps {
  /** Name of a key whose text does not say it. */
  readonly label?: string;
  readonly isPressed?: boolean;
  readonly isLocked?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function KeyButton({ label, isPressed, isLocked, onPress, children }: KeyButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={css.key}
      aria-label={label}
      aria-pressed={isPressed}
      data-locked={isLocked === true || undefined}
      // The field keeps the focus, and the keyboard of the phone stays where it is.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
