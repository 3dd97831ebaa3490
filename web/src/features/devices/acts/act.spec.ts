import { describe, expect, it } from 'vitest';

import { actedOn, MANY, questionOf, type Target } from './act.js';

describe('the question before an act', () => {
  it('asks nothing before an act that does no harm', () => {
    expect(questionOf('refresh', 10_000)).toBe('none');
    expect(questionOf('wake', 1)).toBe('none');
  });

  it('asks for the number of devices before an act that interrupts many people', () => {
    expect(questionOf('restart', MANY)).toBe('confirm');
    expect(questionOf('restart', MANY + 1)).toBe('typed');
  });

  it('asks for the name or the number before an act that destroys', () => {
    expect(questionOf('delete', 1)).toBe('typed');
    expect(questionOf('uninstall', 2)).toBe('typed');
  });
});

describe('the devices of a confirmed act', () => {
  const target = (id: string, isOnline: boolean): Target => ({ id, name: id, macAddresses: [], isOnline });
  const targets = [target('a', true), target('b', false), target('c', true)];
  const idsOf = (...given: Parameters<typeof actedOn>): string =>
    actedOn(...given)
      .map(({ id }) => id)
      .join();

  it('are those that are online, unless the user includes the others', () => {
    expect(idsOf('restart', targets, false)).toBe('a,c');
    expect(idsOf('restart', targets, true)).toBe('a,b,c');
  });

  it('are all of them if none is online, or if the act needs no connection', () => {
    expect(idsOf('shutdown', targets.slice(1, 2), false)).toBe('b');
    expect(idsOf('delete', targets, false)).toBe('a,b,c');
  });
});
