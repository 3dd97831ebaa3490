import { describe, expect, it } from 'vitest';

import { LONGEST_TEXT } from '../../model/user-storage-limit.js';
import { allPreferences, readPreferences, withChanges } from './preferences.js';

const USUAL = {
  theme: 'system',
  density: 'comfortable',
  motion: 'full',
  language: 'en',
  singleKeys: 'on',
  deviceTab: 'same',
  terminals: 'dark',
};

describe('the text of preferences', () => {
  it.each([null, '', '{', 'null', '7', '"dark"', '["dark"]'])('reads no preferences from %j', (text) => {
    expect(readPreferences(text)).toBeNull();
    expect(allPreferences(readPreferences(text))).toEqual(USUAL);
  });

  it('reads the named preferences, and leaves the rest at their defaults', () => {
    expect(readPreferences('{}')).toEqual({});
    expect(readPreferences('{"theme":"dark","deviceTab":"new"}')).toEqual({ theme: 'dark', deviceTab: 'new' });
    expect(allPreferences({ theme: 'dark' })).toEqual({ ...USUAL, theme: 'dark' });
  });

  it.each([
    '{"theme":"pink","density":"compact"}',
    '{"theme":null,"density":"compact"}',
    '{"theme":["dark"],"density":"compact"}',
    '{"theme":"toString","density":"compact"}',
    '{"density":"compact","toString":"dark","frame":"bar"}',
    '{"density":"compact","__proto__":{"theme":"dark"}}',
  ])('ignores unknown preferences and values: %s', (text) => {
    expect(readPreferences(text)).toStrictEqual({ density: 'compact' });
  });
});

describe('a change of preferences', () => {
  const seen = allPreferences({ density: 'compact' });

  it('keeps a preference that another page has changed', () => {
    const text = withChanges('{"theme":"dark","motion":"reduced"}', seen, { theme: 'light' });
    expect(JSON.parse(text)).toEqual({ theme: 'light', motion: 'reduced' });
  });

  it.each([null, '', '[]', 'dark'])('stores all preferences that the user sees in place of %j', (stored) => {
    expect(JSON.parse(withChanges(stored, seen, { theme: 'light' }))).toEqual({ ...USUAL, density: 'compact', theme: 'light' });
  });

  it('keeps preferences of another version, unless there is no room', () => {
    expect(JSON.parse(withChanges('{"zoom":2}', seen, { theme: 'light' }))).toEqual({ zoom: 2, theme: 'light' });
    const full = JSON.stringify({ density: 'compact', zoom: 'x'.repeat(LONGEST_TEXT - 40) });
    expect(JSON.parse(withChanges(full, seen, { theme: 'light', motion: 'reduced' }))).toEqual({
      density: 'compact',
      theme: 'light',
      motion: 'reduced',
    });
  });

  it('has room for all preferences', () => {
    expect(withChanges(null, seen, {}).length).toBeLessThan(LONGEST_TEXT / 4);
  });
});
