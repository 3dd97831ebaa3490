import { describe, expect, it } from 'vitest';

import { keptText } from './kept.js';
import { keptValue } from './read-kept.js';

describe('data kept for a user', () => {
  it('returns kept data to its user, and to no one else', () => {
    const text = keptText('dana', { page: 3 });
    expect(keptValue(text, 'dana')).toEqual({ page: 3 });
    expect(keptValue(text, 'kim')).toBeNull();
  });

  it.each([null, '', '{', 'null', '[]', '"dana"', '{"userId":"dana"}', '{"value":1}'])('reads no kept data from %j', (text) => {
    expect(keptValue(text, 'dana')).toBeNull();
  });
});
