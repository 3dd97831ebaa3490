import { describe, expect, it } from 'vitest';

import { SERIES, seriesOf } from './series.js';

describe('seriesOf', () => {
  it('gives a name the same colour in any case and with spaces around it', () => {
    expect(seriesOf(' Server ')).toBe(seriesOf('server'));
  });

  it('uses every colour about equally often', () => {
    const counts = Array.from({ length: SERIES }, () => 0);
    for (let index = 0; index < 6000; index += 1) counts[seriesOf(`tag-${index}`) - 1] += 1;
    for (const count of counts) expect(count).toBeGreaterThan(800);
  });

  it('accepts an empty name and names beyond the basic plane', () => {
    for (const name of ['', '🖥️', 'خادم']) expect([1, 2, 3, 4, 5, 6]).toContain(seriesOf(name));
  });
});
