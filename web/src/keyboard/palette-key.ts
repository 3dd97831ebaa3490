import { isPressed } from '../ui/kbd/keys.js';
import { isMac } from '../ui/kbd/shortcuts.js';
import { keysOf } from './shortcuts.js';

/** Whether the keys mean the palette. Those are kept from the browser, whoever acts on them. */
export const opensPalette = (event: KeyboardEvent): boolean => isPressed(keysOf('palette'), event, isMac);
