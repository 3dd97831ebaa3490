import { describe, expect, it } from 'vitest';

import { floorAfter } from './schema-floor.js';

const marked = (runsOn?: string) => ({
  up: () => Promise.resolve(),
  down: () => Promise.resolve(),
  ...(runsOn === undefined ? {} : { runsOn }),
});

describe('the oldest release that runs on a schema', () => {
  it.each([
    ['stays when every migration leaves earlier releases alone', '1.2.0', ['1.0.0', '1.2.0'], '1.2.0'],
    ['rises to the highest mark', '1.2.0', ['1.0.0', '1.10.0', '1.9.0'], '1.10.0'],
    ['is the release that brings a migration without a mark', '1.2.0', ['1.3.0', undefined], '2.0.0'],
    ['begins with the first migrations', null, ['0.9.0'], '0.9.0'],
  ])('%s', (_, floor, marks, expected) => {
    expect(
      floorAfter(
        floor,
        marks.map((mark) => marked(mark)),
        '2.0.0',
      ),
    ).toBe(expected);
  });
});
