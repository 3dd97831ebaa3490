import { describe, expect, it } from 'vitest';

import { markedText } from './marked-text.js';

describe('the searched part of a text', () => {
  it('is found in letters of any case, as the service finds it', () => {
    expect(markedText('Front desk 1', ' DESK ')).toEqual(['Front ', 'desk', ' 1']);
    expect(markedText('lab-17', 'lab')).toEqual(['', 'lab', '-17']);
  });

  it('is found behind letters that are longer in lower case, and with the signs of patterns in it', () => {
    expect(markedText('İstanbul-7', 'BUL')).toEqual(['İstan', 'bul', '-7']);
    expect(markedText('lab (1.7)', '(1.')).toEqual(['lab ', '(1.', '7)']);
    expect(markedText('lab (137)', '(1.')).toBeNull();
  });

  it('is missing in another text, and in every text as long as nothing is searched for', () => {
    expect(markedText('lab-17', 'desk')).toBeNull();
    expect(markedText('lab-17', ' ')).toBeNull();
  });
});
