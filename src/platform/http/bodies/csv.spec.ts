import { describe, expect, it } from 'vitest';

import { csvLine } from './csv.js';

describe('a line of a table', () => {
  it('quotes what would end a cell', () => {
    expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', null, undefined, true, -1, new Date(0)])).toBe(
      'a,"b,c","d""e","f\ng",,,true,-1,1970-01-01T00:00:00.000Z\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('makes %j harmless', (text) => {
    expect(csvLine([text])).toMatch(/^"?'/);
  });

  it('leaves such characters within a text', () => {
    expect(csvLine(['a=b', 'a@b', 'a-b'])).toBe('a=b,a@b,a-b\r\n');
  });
});
