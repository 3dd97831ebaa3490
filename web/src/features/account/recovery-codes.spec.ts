import { describe, expect, it } from 'vitest';

import { recoveryWarning } from './recovery-codes.js';

describe('the warning about recovery codes', () => {
  it.each([
    [10, 'none'],
    [4, 'none'],
    [3, 'few'],
    [2, 'few'],
    [1, 'last'],
    [0, 'gone'],
  ])('with %d recovery codes left, the warning is "%s"', (left, warning) => {
    expect(recoveryWarning(left)).toBe(warning);
  });
});
