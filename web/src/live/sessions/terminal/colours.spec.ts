import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { colour, contrast } from '../../../ui/contrast.js';
import { COLOURS, groundOf, MATCHES } from './colours.js';

const tokens = readFileSync(new URL('../../../ui/tokens.css', import.meta.url), 'utf8');
const NAMES = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const BRIGHT = [
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;
const ON_LIGHT = ['foreground', 'cursor', 'black', ...NAMES, ...BRIGHT] as const;
/** A program that prints black expects a ground that is not black. */
const ON_DARK = ['foreground', 'cursor', ...NAMES, ...BRIGHT] as const;

const contrastOf = (one: string, other: string): number => contrast(colour(one), colour(other));

describe('the colours of terminals', () => {
  it.each(ON_LIGHT)('keeps %s readable on the light ground', (name) => {
    expect(contrastOf(COLOURS.light[name], COLOURS.light.background)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(ON_DARK)('keeps %s readable on the dark ground', (name) => {
    expect(contrastOf(COLOURS.dark[name], COLOURS.dark.background)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['light', 'dark'] as const)('keeps selected and found text readable on the %s ground', (ground) => {
    const { foreground, selectionBackground } = COLOURS[ground];
    expect(contrastOf(foreground, selectionBackground)).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(foreground, MATCHES[ground].matchBackground)).toBeGreaterThanOrEqual(4.5);
    // On the dark ground xterm makes the text lighter, as `minimumContrastRatio` tells it.
    expect(contrastOf(foreground, MATCHES[ground].activeMatchBackground)).toBeGreaterThanOrEqual(3);
  });

  it('gives the page around a terminal the same colours', () => {
    const { light, dark } = COLOURS;
    expect(tokens).toContain(`--terminal: light-dark(${light.background}, ${dark.background});`);
    expect(tokens).toContain(`--terminal-text: light-dark(${light.foreground}, ${dark.foreground});`);
    expect(tokens).toContain(`--screen: ${dark.background};`);
  });
});

describe('the ground of terminals', () => {
  it('keeps the ground of terminals dark unless it follows the theme', () => {
    for (const theme of ['system', 'light', 'dark'] as const) expect(groundOf({ theme, terminals: 'dark' }, false)).toBe('dark');
  });

  it('takes the ground of terminals from the theme, or from the system', () => {
    const follows = (theme: 'system' | 'light' | 'dark', isSystemDark: boolean) => groundOf({ theme, terminals: 'theme' }, isSystemDark);
    expect([follows('light', true), follows('light', false)]).toEqual(['light', 'light']);
    expect([follows('dark', true), follows('dark', false)]).toEqual(['dark', 'dark']);
    expect([follows('system', true), follows('system', false)]).toEqual(['dark', 'light']);
  });
});
