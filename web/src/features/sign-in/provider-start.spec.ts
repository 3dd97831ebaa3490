import { describe, expect, it } from 'vitest';

import { providerStart } from './provider-start.js';

const returnPathOf = (address: string): string | null => new URL(address, 'https://here.example').searchParams.get('returnPath');

describe('the begin of a sign-in at another provider', () => {
  it('leads back to the sign-in page', () => {
    expect(returnPathOf(providerStart('google', undefined))).toBe('/signin');
  });

  it('keeps where the user was going', () => {
    const back = new URL(returnPathOf(providerStart('google', '/devices?q=a&tag=b')) ?? '', 'https://here.example');
    expect(back.pathname).toBe('/signin');
    expect(back.searchParams.get('next')).toBe('/devices?q=a&tag=b');
  });

  it('forgets an address that is too long to be led back to', () => {
    expect(returnPathOf(providerStart('google', `/devices?q=${'x'.repeat(500)}`))).toBe('/signin');
  });

  it('names any provider', () => {
    expect(providerStart('a/b', undefined)).toMatch(/^\/account\/external\/a%2Fb\/start\?/);
  });
});
