import { describe, expect, it } from 'vitest';

import { macAddressText, shareOf } from './figures.js';

describe('shareOf', () => {
  it('returns the used share, never below 0 or above 1', () => {
    expect(shareOf(3, 4)).toBe(0.75);
    expect(shareOf(5, 4)).toBe(1);
    expect(shareOf(-1, 4)).toBe(0);
  });

  it('returns a used share of 0 for a device without storage', () => {
    expect(shareOf(0, 0)).toBe(0);
  });
});

describe('macAddressText', () => {
  it('groups the digits of a MAC address', () => {
    expect(macAddressText('0a1b2c3d4e5f')).toBe('0A:1B:2C:3D:4E:5F');
  });

  it('leaves a text alone that is not 12 digits', () => {
    expect(macAddressText('0a:1b')).toBe('0a:1b');
    expect(macAddressText('')).toBe('');
  });
});
