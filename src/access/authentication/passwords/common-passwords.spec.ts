import { describe, expect, it } from 'vitest';

import { isCommonPassword } from './common-passwords.js';

const COMMON = ['Password1', 'PASSWORD1', 'P@ssw0rd', 'P@$$w0rd1!', 'Sunshine2024', 'Qwertyuiop1', 'Letmein123!', 'Abcdefg1', '1Qaz2Wsx'];
const GOOD = ['Correct horse 1', 'Sunshine902457', 'Tr0ub4dor&Sunshine', 'xK9mQ2vLp7', 'Äußerst unüblich 7', '7', ''];

describe('isCommonPassword', () => {
  it.each(COMMON)('recognizes %j', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each(GOOD)('leaves %j alone', async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  });
});
