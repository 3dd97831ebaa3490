import { describe, expect, it } from 'vitest';

import { publicAddressOf } from './device-columns.js';

describe('publicAddressOf', () => {
  it.each([
    ['192.0.2.7', { publicIpV4: '192.0.2.7', publicIpV6: null }],
    ['2001:db8::1', { publicIpV4: null, publicIpV6: '2001:db8::1' }],
    ['fe80::1%eth0', { publicIpV4: null, publicIpV6: 'fe80::1' }],
    ['0000:0000:0000:0000:0000:ffff:192.100.200.107', { publicIpV4: null, publicIpV6: '::ffff:c064:c86b' }],
    ['', { publicIpV4: null, publicIpV6: null }],
    [null, { publicIpV4: null, publicIpV6: null }],
  ])('%s', (address, columns) => {
    expect(publicAddressOf(address)).toEqual(columns);
  });
});
