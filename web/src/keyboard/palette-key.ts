import { isPressed } from '../ui/kbd/keys.js';
import { isMac } from '../ui/kbd/shortcuts.js';
import { keysOf } from './shortcuts.js';

/** True if the keys mean the palette. Those are kept from the browser, even if a later handler acts on them. */
export const opensPalette = (event: KeyboardEvent): boolean => isPressed(keysOf('palette'), event, isMac);
