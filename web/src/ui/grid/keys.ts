/** The keys of a grid, besides those that its page adds. */
export const GRID_KEYS = {
  'row-next': ['ArrowDown', 'j'],
  'row-previous': ['ArrowUp', 'k'],
  'row-first': ['Home'],
  'row-last': ['End'],
  'row-page-down': ['PageDown'],
  'row-page-up': ['PageUp'],
  'rows-extend': ['Shift+ArrowDown', 'Shift+ArrowUp', 'Shift+Home', 'Shift+End', 'Shift+PageDown', 'Shift+PageUp', 'Shift+Space'],
  'row-select': ['Space', 'x'],
  'rows-all': ['Mod+a'],
  'rows-none': ['Escape'],
  'row-open': ['Enter'],
  'row-open-tab': ['Mod+Enter'],
  'row-menu': ['.', 'Shift+F10', 'ContextMenu'],
} as const;

export type GridAct = keyof typeof GRID_KEYS;
