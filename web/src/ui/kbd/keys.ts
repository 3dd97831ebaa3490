const MAC: Readonly<Record<string, string>> = { Ctrl: '⌃', Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '⏎', Backspace: '⌫', Delete: '⌦' };
const OTHERS: Readonly<Record<string, string>> = { Mod: 'Ctrl' };
const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
};

/** The caps of a shortcut as the keyboard at hand names them: `Mod+K` is ⌘ K on a Mac and Ctrl K elsewhere. */
export function capsOf(keys: string, isMac: boolean): string[] {
  const names = isMac ? MAC : OTHERS;
  return keys.split('+').map((key) => {
    const name = names[key] ?? NAMES[key] ?? key;
    return name.length === 1 ? name.toUpperCase() : name;
  });
}

/** Keyboard event as shortcuts are compared with it: the parts that tell which keys were pressed. */
export interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly getModifierState?: (name: 'AltGraph') => boolean;
}

const LAST_OF_ASCII = 0x7f;
const LETTER = /^[a-z]$/i;
const LETTER_OR_DIGIT = /^[a-z\d]$/i;

/** True if the keys of a shortcut, and no others, were pressed. */
export function isPressed(keys: string, pressed: Pressed, isMac: boolean): boolean {
  const modifiers = keys.split('+');
  const name = modifiers.pop() ?? '';
  if (!isKey(name, pressed)) return false;
  const wanted = new Set(modifiers.map((modifier) => (modifier === 'Mod' ? (isMac ? 'Meta' : 'Ctrl') : modifier)));
  // The keys of a sign depend on the keyboard: with Shift on one, with AltGr on another.
  const isSign = name.length === 1 && !LETTER_OR_DIGIT.test(name);
  const isAltGr = isSign && pressed.getModifierState?.('AltGraph') === true;
  return (
    (isSign || pressed.shiftKey === wanted.has('Shift')) &&
    pressed.metaKey === wanted.has('Meta') &&
    (isAltGr || (pressed.ctrlKey === wanted.has('Ctrl') && pressed.altKey === wanted.has('Alt')))
  );
}

function isKey(name: string, { key, code }: Pressed): boolean {
  if (name === 'Space') return key === ' ';
  if (key.toLowerCase() === name.toLowerCase()) return true;
  // Keyboards with other scripts have the letters of the shortcut at the same places.
  return LETTER.test(name) && key.charCodeAt(0) > LAST_OF_ASCII && code === `Key${name.toUpperCase()}`;
}
