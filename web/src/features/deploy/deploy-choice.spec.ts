import { describe, expect, it } from 'vitest';

import { keyIdOf } from './deploy-choice.js';

const KEY = '019a5b3c-5e51-7fbb-81d8-0922a4cb1ea2';

describe('the key in the address of the page about deploying', () => {
  it('reads the id of a key from the address', () => {
    expect(keyIdOf({ key: KEY, os: 'linux-x64' })).toBe(KEY);
  });

  it.each([undefined, '', 'x', `${KEY}0`, `${KEY}\n`])('reads no key from %j', (key) => {
    expect(keyIdOf({ key })).toBeUndefined();
  });
});
