import { describe, expect, it } from 'vitest';

import { MANY, questionOf } from './act.js';

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
