import { expect, it } from 'vitest';

import { positionOf } from './position.js';

it('tells the line and the column of a place, from 1 on', () => {
  expect(positionOf('', 0)).toEqual({ line: 1, column: 1 });
  expect(positionOf('ab\ncd', 2)).toEqual({ line: 1, column: 3 });
  expect(positionOf('ab\ncd', 3)).toEqual({ line: 2, column: 1 });
  expect(positionOf('a😀b', 3)).toEqual({ line: 1, column: 3 });
});
