import { describe, expect, it } from 'vitest';

import { keptText } from './kept.js';
import { keptValue } from './read-kept.js';

describe('what is kept for a user', () => {
  it('is there for that user, and for nobody else', () => {
    const text = keptText('dana', { page: 3 });
    expect(keptValue(text, 'dana')).toEqual({ page: 3 });
    expect(keptValue(text, 'kim')).toBeNull();
  });

  it.each([null, '', '{', 'null', '[]', '"dana"', '{"userId":"dana"}', '{"value":1}'])('is nothing in %j', (text) => {
    expect(keptValue(text, 'dana')).toBeNull();
  });
});
