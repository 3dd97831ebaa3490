import { GRID_KEYS } from '../ui/grid/keys.js';
import { capsOf } from '../ui/kbd/keys.js';
import { isMac } from '../ui/kbd/shortcuts.js';

/*
 * Every shortcut of the pages. Listeners, menus, buttons and the sheet behind `?` use these tables; their texts have the same names. Two
 * strokes one after another are separated by a space.
 */

/** On every page. */
const EVERYWHERE = {
  palette: ['Mod+k'],
  sheet: ['?'],
  search: ['/'],
  'next-region': ['F6'],
  'previous-region': ['Shift+F6'],
  'go-devices': ['g d'],
  'go-users': ['g u'],
  'go-service-accounts': ['g s'],
  'go-change-log': ['g l'],
  'go-installer-keys': ['g k'],
} as const;

/** On a row of the list of devices, besides the shortcuts of every list. */
export const DEVICE_ROW = {
  'open-terminal': ['t'],
  'open-files': ['f'],
  'open-screen': ['s'],
} as const;

/** In the list of a device's files, besides the shortcuts of every list. */
export const FILES = {
  'delete-file': ['Delete'],
  'rename-file': ['F2'],
  'save-file': ['Mod+s'],
  'copy-path': ['Mod+c'],
  'folder-up': ['Backspace'],
} as const;

/** On the page of a device. */
const DEVICE_PAGE = { 'previous-device': ['['], 'next-device': [']'] } as const;

/** In a terminal, where all other keys are the terminal's. */
export const TERMINAL = {
  'leave-terminal': ['Ctrl+Shift+ArrowUp'],
  'find-in-terminal': ['Ctrl+Shift+f'],
  'copy-from-terminal': ['Ctrl+Shift+c'],
  'paste-into-terminal': ['Ctrl+Shift+v'],
} as const;

/** Shortcuts that the pages listen to with any focus, except in a field for typing. */
export const LISTENED = { ...EVERYWHERE, ...DEVICE_PAGE } as const;
export type ListenedShortcut = keyof typeof LISTENED;

/** All of them, in the order and under the headings of the sheet. */
export const PLACES = {
  everywhere: EVERYWHERE,
  list: { ...GRID_KEYS, ...DEVICE_ROW },
  device: DEVICE_PAGE,
  files: FILES,
  terminal: TERMINAL,
} as const;
export type Place = keyof typeof PLACES;

const ALL = { ...EVERYWHERE, ...GRID_KEYS, ...DEVICE_ROW, ...DEVICE_PAGE, ...FILES, ...TERMINAL } as const;
export type ShortcutId = keyof typeof ALL;

/** The keys of a shortcut as hints show them. */
export const keysOf = (id: ShortcutId): string => ALL[id][0];

/** The same as words between others: `Ctrl+Shift+F`. */
export const keyWordsOf = (id: ShortcutId): string => capsOf(keysOf(id), isMac).join('+');

/** The same for `aria-keyshortcuts`. */
export const ariaKeysOf = (id: ShortcutId): string => keysOf(id).replace('Mod', isMac ? 'Meta' : 'Control');
