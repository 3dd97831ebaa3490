import { describe, expect, it } from 'vitest';

import { providerStart, returnPathTo } from './provider-start.js';

const returnPathOf = (address: string): string | null => new URL(address, 'https://here.example').searchParams.get('returnPath');

describe('the start of a sign-in at another provider', () => {
  it('leads back to the sign-in page', () => {
    expect(returnPathOf(providerStart('google', undefined))).toBe('/signin');
  });

  it('passes on the page that the user was going to', () => {
    const back = new URL(returnPathOf(providerStart('google', '/devices?q=a&tag=b')) ?? '', 'https://here.example');
    expect(back.pathname).toBe('/signin');
    expect(back.searchParams.get('next')).toBe('/devices?q=a&tag=b');
  });

  it('leaves out an address that is too long to be led back to', () => {
    expect(returnPathOf(providerStart('google', `/devices?q=${'x'.repeat(500)}`))).toBe('/signin');
  });

  it('builds the address for any provider name', () => {
    expect(providerStart('a/b', undefined)).toMatch(/^\/account\/external\/a%2Fb\/start\?/);
  });
});

describe('the way back from a proof at another provider', () => {
  it('leads back from a proof to the page as it was', () => {
    expect(returnPathTo('/users?q=anna#main')).toBe('/users?q=anna#main');
  });

  it('shortens the way back from a proof if it is too long', () => {
    expect(returnPathTo(`/users?q=${'x'.repeat(500)}`)).toBe('/users');
    expect(returnPathTo(`/${'x'.repeat(500)}`)).toBe('/');
  });
});
