import { describe, expect, it } from 'vitest';

import { isPublicAddress } from './public-address.js';

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['this host', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['shared with a carrier', '100.64.0.1'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local', '169.254.169.254'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['for measurements', '198.19.0.1'],
    ['documentation', '203.0.113.9'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '::1'],
    ['unspecified', '::'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped, in hexadecimal digits', '::ffff:7f00:1'],
    ['mapped private', '::ffff:192.168.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['IPv6 link-local', 'fe80::1%eth0'],
    ['unique local', 'fd00::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:7f00:1::'],
    ['IPv6 documentation', '2001:db8::1'],
    ['in brackets', '[::1]'],
    ['no address', 'example.org'],
    ['no address', ''],
  ])('is not public: %s %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
