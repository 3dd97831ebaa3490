import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { type Colour, colour, contrast } from './contrast.js';

type Theme = 'light' | 'dark';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
/** Every token that is one colour in each theme, or one in both. */
const tokens = new Map<string, Record<Theme, Colour>>();
for (const [, name, light, dark] of css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)) {
  tokens.set(name, { light: colour(light), dark: colour(dark) });
}
for (const [, name, both] of css.matchAll(/--([\w-]+): (#\w{6});/g)) tokens.set(name, { light: colour(both), dark: colour(both) });

function token(name: string, theme: Theme): Colour {
  const found = tokens.get(name);
  if (found === undefined) throw new Error(`tokens.css has no colour --${name}.`);
  return found[theme];
}

const mixed = (colours: Colour, ground: Colour, share: number): Colour => [
  colours[0] * share + ground[0] * (1 - share),
  colours[1] * share + ground[1] * (1 - share),
  colours[2] * share + ground[2] * (1 - share),
];

const GROUNDS = ['canvas', 'surface', 'raised'] as const;
const SIGNALS = ['ok', 'warn', 'bad', 'off'] as const;
const SERIES = [1, 2, 3, 4, 5, 6] as const;

/** Text and the grounds that it stands on. */
const TEXT_PAIRS: readonly (readonly [text: string, ground: string])[] = [
  ...['text', 'muted', 'faint'].flatMap((text) => [...GROUNDS, 'sunken'].map((ground) => [text, ground] as const)),
  ...['text', 'muted', 'accent'].map((text) => [text, 'accent-soft'] as const),
  ...['accent', 'accent-hover', ...SIGNALS].flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
  ...SIGNALS.map((signal) => [signal, `${signal}-soft`] as const),
  ...['accent', 'accent-hover'].map((ground) => ['accent-ink', ground] as const),
  ['bad-ink', 'bad'],
  ['muted', 'off-soft'],
  // A tooltip is the other way round.
  ['canvas', 'text'],
  ['terminal-text', 'terminal'],
  ['faint', 'terminal'],
];

/** Edges of controls, shapes and lines. */
const NON_TEXT_PAIRS: readonly (readonly [shape: string, ground: string])[] = [
  'line-strong',
  'accent',
  ...SIGNALS.map((signal) => `${signal}-dot`),
  ...SERIES.map((series) => `series-${series}`),
].flatMap((shape) => [...GROUNDS, ...(shape === 'line-strong' ? ['terminal'] : [])].map((ground) => [shape, ground] as const));

describe.each(['light', 'dark'] as const)('the colours of the %s theme', (theme) => {
  it.each(TEXT_PAIRS)('keeps %s readable on %s', (text, ground) => {
    expect(contrast(token(text, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(NON_TEXT_PAIRS)('keeps the shapes of %s visible on %s', (shape, ground) => {
    expect(contrast(token(shape, theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
  });

  it.each(SERIES)('keeps the name of a tag readable on a sixth of series %i', (series) => {
    for (const ground of GROUNDS) {
      const tag = mixed(token(`series-${series}`, theme), token(ground, theme), 0.16);
      expect(contrast(token('text', theme), tag)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('keeps text readable under the pointer', () => {
    for (const text of ['text', 'muted']) {
      for (const ground of GROUNDS) {
        const hovered = mixed(token('text', theme), token(ground, theme), 0.06);
        expect(contrast(token(text, theme), hovered)).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
});
