import { describe, expect, it } from '@jest/globals';

import { nestsDeeperThan } from './json-body.js';

const deeperThanTwo = (text: string): boolean => nestsDeeperThan(2, Buffer.from(text));

describe('nestsDeeperThan', () => {
  it.each(['1', '"text"', '{}', '[[]]', '{"a":[1,2]}', '[{},{},{}]'])('allows %s', (text) => {
    expect(deeperThanTwo(text)).toBe(false);
  });

  it.each(['[[[]]]', '{"a":{"b":{}}}', '[{"a":[', '[[],[[]]]'])('refuses %s', (text) => {
    expect(deeperThanTwo(text)).toBe(true);
  });

  it.each(['"[[["', '{"a":"[[{\\"[[["}', '{"[[[":"\\\\"}', '["é[[[","\\""]'])('does not count what stands in texts: %s', (text) => {
    expect(deeperThanTwo(text)).toBe(false);
  });

  it('goes on counting after a text that ends in a backslash', () => {
    expect(deeperThanTwo('["\\\\",[[]]]')).toBe(true);
  });
});
