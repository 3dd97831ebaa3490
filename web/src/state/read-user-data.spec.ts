import { describe, expect, it } from 'vitest';

import { textForUser } from './user-data.js';
import { valueForUser } from './read-user-data.js';

describe('data stored for a user', () => {
  it('returns stored data to its user, and to no one else', () => {
    const text = textForUser('dana', { page: 3 });
    expect(valueForUser(text, 'dana')).toEqual({ page: 3 });
    expect(valueForUser(text, 'kim')).toBeNull();
  });

  it.each([null, '', '{', 'null', '[]', '"dana"', '{"userId":"dana"}', '{"value":1}'])('reads no stored data from %j', (text) => {
    expect(valueForUser(text, 'dana')).toBeNull();
  });
});
