import type { ITheme } from '@xterm/xterm';

import type { Preferences } from '../../../state/preferences/preferences.js';

/*
 * The colours of terminals on either ground. `tokens.css` has the grounds and their texts, too, for the page around the picture.
 */

export type Ground = 'dark' | 'light';

/** The ground that the user prefers, in a system with dark or light colours. */
export function groundOf({ theme, terminals }: Pick<Preferences, 'theme' | 'terminals'>, isSystemDark: boolean): Ground {
  const isLight = theme === 'light' || (theme === 'system' && !isSystemDark);
  return terminals === 'theme' && isLight ? 'light' : 'dark';
}

export const COLOURS = {
  dark: {
    background: '#0b0e13',
    foreground: '#d7dde6',
    cursor: '#d7dde6',
    cursorAccent: '#0b0e13',
    selectionBackground: '#2f4b73',
    black: '#1c232c',
    red: '#ff8f86',
    green: '#5fd39c',
    yellow: '#f2b45c',
    blue: '#7db2ff',
    magenta: '#b79cf5',
    cyan: '#45c4cf',
    white: '#d7dde6',
    brightBlack: '#8590a0',
    brightRed: '#ffb1aa',
    brightGreen: '#8be5ba',
    brightYellow: '#f8cf95',
    brightBlue: '#a6ccff',
    brightMagenta: '#d0bfff',
    brightCyan: '#83dde5',
    brightWhite: '#ffffff',
  },
  // Programs use white for ordinary text and bright white for emphasis. On a light ground both have to be dark.
  light: {
    background: '#ffffff',
    foreground: '#161b22',
    cursor: '#161b22',
    cursorAccent: '#ffffff',
    selectionBackground: '#cfe0f7',
    black: '#2b333d',
    red: '#b3231a',
    green: '#0a6e46',
    yellow: '#8a4b00',
    blue: '#0b5cc4',
    magenta: '#7a4fc9',
    cyan: '#0f7078',
    white: '#525c6b',
    brightBlack: '#5f6977',
    brightRed: '#cf352b',
    brightGreen: '#107c52',
    brightYellow: '#9c5a00',
    brightBlue: '#1f6fdc',
    brightMagenta: '#9650d6',
    brightCyan: '#127a83',
    brightWhite: '#161b22',
  },
} as const satisfies Record<Ground, ITheme>;

/** Colours that mark the matches of a search. */
export const MATCHES = {
  dark: {
    matchBackground: '#3b3a1d',
    matchOverviewRuler: '#e9a23b',
    activeMatchBackground: '#8a6a17',
    activeMatchColorOverviewRuler: '#f2b45c',
  },
  light: {
    matchBackground: '#fae7b5',
    matchOverviewRuler: '#b86a00',
    activeMatchBackground: '#f2c355',
    activeMatchColorOverviewRuler: '#8a4b00',
  },
} as const;
