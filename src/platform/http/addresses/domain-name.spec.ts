import { describe, expect, it } from 'vitest';

import { domainOf } from './domain-name.js';

describe('the domain name of an address', () => {
  it.each([
    ['https://devices.example', 'devices.example'],
    ['https://Devices.Example:8443/base', 'devices.example'],
    ['http://localhost:8080', 'localhost'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
  ])('of %s is %s', (address, name) => {
    expect(domainOf(address)).toBe(name);
  });

  it.each(['http://127.0.0.1:8080', 'https://192.0.2.7', 'http://[::1]:8080', 'https://[2001:db8::1]'])('is missing in %s', (address) => {
    expect(domainOf(address)).toBeNull();
  });
});
