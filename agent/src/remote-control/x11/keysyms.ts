/* Symbols of keys, as X numbers them (keysymdef.h), and the positions of keys. */

/** Symbols by `KeyboardEvent.key`, for keys that type no character. */
const NAMED: Readonly<Record<string, number>> = {
  Backspace: 0xff08,
  Tab: 0xff09,
  Enter: 0xff0d,
  Pause: 0xff13,
  ScrollLock: 0xff14,
  PrintScreen: 0xff61,
  Escape: 0xff1b,
  Delete: 0xffff,
  Home: 0xff50,
  ArrowLeft: 0xff51,
  ArrowUp: 0xff52,
  ArrowRight: 0xff53,
  ArrowDown: 0xff54,
  PageUp: 0xff55,
  PageDown: 0xff56,
  End: 0xff57,
  Insert: 0xff63,
  ContextMenu: 0xff67,
  NumLock: 0xff7f,
  CapsLock: 0xffe5,
  Shift: 0xffe1,
  Control: 0xffe3,
  Alt: 0xffe9,
  Meta: 0xffeb,
  AltGraph: 0xfe03,
  ...Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`F${index + 1}`, 0xffbe + index])),
};

/** Rows of the keyboard by `KeyboardEvent.code`, and the key code of the first key of each. X adds 8 to the numbers of the kernel. */
const ROWS: readonly (readonly [first: number, ...codes: string[]])[] = [
  [9, 'Escape', 'Digit1', 'Digit2', 'Digit3', 'Digit4', 'Digit5', 'Digit6', 'Digit7', 'Digit8', 'Digit9', 'Digit0', 'Minus', 'Equal'],
  [22, 'Backspace', 'Tab', 'KeyQ', 'KeyW', 'KeyE', 'KeyR', 'KeyT', 'KeyY', 'KeyU', 'KeyI', 'KeyO', 'KeyP', 'BracketLeft', 'BracketRight'],
  [36, 'Enter', 'ControlLeft', 'KeyA', 'KeyS', 'KeyD', 'KeyF', 'KeyG', 'KeyH', 'KeyJ', 'KeyK', 'KeyL', 'Semicolon', 'Quote', 'Backquote'],
  [50, 'ShiftLeft', 'Backslash', 'KeyZ', 'KeyX', 'KeyC', 'KeyV', 'KeyB', 'KeyN', 'KeyM', 'Comma', 'Period', 'Slash', 'ShiftRight'],
  [63, 'NumpadMultiply', 'AltLeft', 'Space', 'CapsLock', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10'],
  [77, 'NumLock', 'ScrollLock', 'Numpad7', 'Numpad8', 'Numpad9', 'NumpadSubtract', 'Numpad4', 'Numpad5', 'Numpad6', 'NumpadAdd'],
  [87, 'Numpad1', 'Numpad2', 'Numpad3', 'Numpad0', 'NumpadDecimal'],
  [94, 'IntlBackslash', 'F11', 'F12', 'IntlRo'],
  [100, 'Convert', 'KanaMode', 'NonConvert'],
  [104, 'NumpadEnter', 'ControlRight', 'NumpadDivide', 'PrintScreen', 'AltRight'],
  [110, 'Home', 'ArrowUp', 'PageUp', 'ArrowLeft', 'ArrowRight', 'End', 'ArrowDown', 'PageDown', 'Insert', 'Delete'],
  [121, 'AudioVolumeMute', 'AudioVolumeDown', 'AudioVolumeUp'],
  [125, 'NumpadEqual'],
  [127, 'Pause'],
  [129, 'NumpadComma', 'Lang1', 'Lang2', 'IntlYen', 'MetaLeft', 'MetaRight', 'ContextMenu'],
];

const POSITIONS: ReadonlyMap<string, number> = new Map(
  ROWS.flatMap(([first, ...codes]) => codes.map((code, index): [string, number] => [code, first + index])),
);

/** The symbol of a key that types no character. */
export function namedSymbol(key: string): number | undefined {
  return Object.hasOwn(NAMED, key) ? NAMED[key] : undefined;
}

/** The key code of a position on keyboards whose codes come from the kernel. */
export function codeOfPosition(code: string): number | undefined {
  return POSITIONS.get(code);
}

/** The symbol of a character, as layouts and programs know it. */
export function symbolOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  // Characters of control are keys.
  if (point === 0x0a || point === 0x0d) return 0xff0d;
  if (point === 0x09) return 0xff09;
  if (point === 0x08) return 0xff08;
  if (point === 0x1b) return 0xff1b;
  if (point === 0x20ac) return 0x20ac;
  return (point >= 0x20 && point <= 0x7e) || (point >= 0xa0 && point <= 0xff) ? point : 0x01000000 + point;
}
