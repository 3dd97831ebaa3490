import { expect, it } from 'vitest';

import { BatchSize } from './batch-size.js';

it('halves after a batch that was too large, and grows by one after each that was not', () => {
  const size = new BatchSize();
  expect(size.limit).toBe(500);
  size.taken();
  expect(size.limit).toBe(500);
  size.refused(41);
  expect(size.limit).toBe(20);
  size.taken();
  expect(size.limit).toBe(21);
  size.refused(1);
  expect(size.limit).toBe(1);
});
