import { describe, expect, it } from 'vitest';

import { MANY, questionOf } from './act.js';

describe('what is asked before an act', () => {
  it('is nothing where nobody is harmed', () => {
    expect(questionOf('refresh', 10_000)).toBe('none');
    expect(questionOf('wake', 1)).toBe('none');
  });

  it('is the number of devices, for what interrupts many people', () => {
    expect(questionOf('restart', MANY)).toBe('confirm');
    expect(questionOf('restart', MANY + 1)).toBe('typed');
  });

  it('is the name or the number, for what destroys', () => {
    expect(questionOf('delete', 1)).toBe('typed');
    expect(questionOf('uninstall', 2)).toBe('typed');
  });
});
