import { describe, expect, it } from 'vitest';

import { actsIn, hasWords, questionsOf, readTyped } from './typed.js';

describe('readTyped', () => {
  it('reads the prefixes of the palette', () => {
    expect(readTyped('> restart now')).toEqual({ mode: 'actions', text: 'restart now', words: ['restart', 'now'] });
    expect(readTyped('@Dana')).toEqual({ mode: 'users', text: 'Dana', words: ['dana'] });
    expect(readTyped('#')).toEqual({ mode: 'tags', text: '', words: [] });
    expect(readTyped('  srv-01 ')).toEqual({ mode: 'all', text: 'srv-01', words: ['srv-01'] });
    expect(readTyped('')).toEqual({ mode: 'all', text: '', words: [] });
  });

  it('reads questions, without the words that name nothing', () => {
    expect(readTyped('Why can Dana use the terminal')).toMatchObject({ mode: 'why', words: ['dana', 'use', 'terminal'] });
    expect(readTyped('whyever').mode).toBe('all');
  });
});

describe('hasWords', () => {
  it('finds every word, in any of the texts', () => {
    expect(hasWords(['term', 'dev'], 'Use terminal', 'device.terminal.use')).toBe(true);
    expect(hasWords(['files'], 'Use terminal', null)).toBe(false);
    expect(hasWords([], 'anything')).toBe(true);
  });
});

describe('questionsOf', () => {
  const dana = { id: '1', name: 'Dana Schmidt' };
  const dan = { id: '2', name: 'Dan Kim' };
  const terminal = { name: 'device.terminal.use', displayName: 'Use terminal' };
  const files = { name: 'device.file-system.read', displayName: 'Read files' };
  const ask = (...words: string[]): unknown => questionsOf(words, [dana, dan], [terminal, files], 3);

  it('pairs people with permissions', () => {
    expect(ask('dana', 'terminal')).toEqual([{ person: dana, permission: terminal }]);
    expect(ask('dan', 'files')).toEqual([
      { person: dana, permission: files },
      { person: dan, permission: files },
    ]);
  });

  it('leaves a part of the question open if no word names it', () => {
    expect(ask('kim')).toEqual([{ person: dan, permission: null }]);
    expect(ask('terminal')).toEqual([{ person: null, permission: terminal }]);
    expect(ask()).toEqual([]);
    expect(ask('nobody')).toEqual([]);
  });

  it('asks no more questions than wanted', () => {
    expect(ask('dan', 'e')).toHaveLength(3);
  });
});

describe('an act with what it is done with', () => {
  const acts = [
    { id: 'restart', label: 'Restart' },
    { id: 'shutdown', label: 'Shut down' },
    { id: 'update', label: 'Update agent' },
    { id: 'uninstall', label: 'Uninstall agent' },
  ] as const;

  it.each([
    ['restart srv-01', [{ id: 'restart', rest: 'srv-01' }]],
    ['REST Front Desk 1', [{ id: 'restart', rest: 'Front Desk 1' }]],
    ['shut down srv-01', [{ id: 'shutdown', rest: 'srv-01' }]],
    ['update agent srv-01', [{ id: 'update', rest: 'srv-01' }]],
    ['update srv-01', [{ id: 'update', rest: 'srv-01' }]],
    ['restart', []],
    ['srv-01 restart', []],
    ['re srv-01', []],
  ])('is read from %j', (text, read) => {
    expect(actsIn(text, acts)).toEqual(read);
  });
});
