import { bool, float64, MAX_NAME_LENGTH, record, text, type Infer } from '#libs/contracts/wire';

import { MAX_TEXT_MESSAGE_BYTES } from '../limits.js';
import { orDefault, whole } from '../types.js';
import { KeyboardInputMode } from './enums.js';

/** A place on the shown display, from 0 to 1. */
const place = { normalizedX: float64, normalizedY: float64 };

export const MovePointer = record('MovePointer', 'Moves the pointer.', place);

export const MouseButtonEvent = record('MouseButtonEvent', 'Presses or releases a button of the mouse, numbered as in DOM events.', {
  button: whole,
  isPressed: bool,
  ...place,
});

export const MouseClick = record('MouseClick', 'Clicks once or twice.', { button: whole, isDoubleClick: bool, ...place });

export const WheelScroll = record('WheelScroll', 'Turns the wheel. A positive `scrollY` scrolls up.', {
  ...place,
  scrollY: float64,
  scrollX: float64,
});

const KeyModifiers = record('KeyModifiers', 'The keys that are held beside the one of the event.', {
  control: bool,
  shift: bool,
  alt: bool,
  meta: bool,
});

export const KeyEvent = record('KeyEvent', 'Presses or releases a key. `key` and `code` are those of DOM events.', {
  key: text(MAX_NAME_LENGTH),
  code: text(MAX_NAME_LENGTH),
  isPressed: bool,
  inputMode: orDefault(KeyboardInputMode),
  modifiers: KeyModifiers,
});
export type KeyEvent = Infer<typeof KeyEvent>;

export const TypeText = record('TypeText', 'Types a text, character by character.', { text: text(MAX_TEXT_MESSAGE_BYTES) });
