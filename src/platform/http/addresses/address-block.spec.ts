import { describe, expect, it } from 'vitest';

import { addressBlock, widerNetwork } from './address-block.js';

describe('addressBlock', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:db8::5', '2001:db8:0:0::/64'],
    ['2001:db8:7::', '2001:db8:7:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['', ''],
  ])('of %p is %p', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });

  it('tells neighbouring networks apart', () => {
    expect(addressBlock('2001:db8:0:1::1')).not.toBe(addressBlock('2001:db8:0:2::1'));
  });
});

describe('widerNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0::/48'],
    ['2001:db8:7::', '2001:db8:7::/48'],
    ['', ''],
  ])('of %p is %p', (address, network) => {
    expect(widerNetwork(address)).toBe(network);
  });
});
