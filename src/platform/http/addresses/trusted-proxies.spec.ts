import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { loadSettings } from '../../config/load-settings.js';
import { TrustedProxies } from './trusted-proxies.js';

function addressOf(peer: string, forwarded: string | undefined, env: Record<string, string> = {}): string {
  const { settings } = loadSettings({ env, cwd: '/nonexistent' });
  const request = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: peer }));
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return new TrustedProxies(settings).addressOf(request);
}

describe('TrustedProxies', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('trusts the loopback peer %s', (peer) => {
    expect(addressOf(peer, '203.0.113.9')).toBe('203.0.113.9');
  });

  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', '10.0.0.1'],
  ])('believes nothing that the unknown peer %s says', (peer, expected) => {
    expect(addressOf(peer, '203.0.113.9')).toBe(expected);
    expect(addressOf(peer, '127.0.0.1')).toBe(expected);
  });

  it.each([
    [{ Service_AppOptions__KnownProxies: '198.51.100.1' }],
    [{ Service_AppOptions__KnownNetworks: '198.51.100.0/24' }],
    [{ Service_AppOptions__DockerGatewayIp: '198.51.100.1' }],
  ])('believes peers that are named: %j', (env) => {
    expect(addressOf('198.51.100.1', '203.0.113.9', env)).toBe('203.0.113.9');
    expect(addressOf('198.51.101.1', '203.0.113.9', env)).toBe('198.51.101.1');
  });

  it('trusts every peer in a trusted network', () => {
    expect(addressOf('198.51.100.1', '192.0.2.1, 203.0.113.9', { Service_AppOptions__EnableNetworkTrust: 'true' })).toBe('192.0.2.1');
  });

  it('leaves out the zone of a forwarded address, which may be of any length', () => {
    expect(addressOf('127.0.0.1', `fe80::1%${'a'.repeat(200)}`)).toBe('fe80::1');
    expect(addressOf('127.0.0.1', '2001:db8::7%1:2:3')).toBe('2001:db8::7');
  });

  it('uses the peer’s address when the forwarded one is invalid', () => {
    expect(addressOf('127.0.0.1', 'unknown')).toBe('127.0.0.1');
    expect(addressOf('127.0.0.1', '')).toBe('127.0.0.1');
    expect(addressOf('127.0.0.1', '203.0.113.9:4711')).toBe('127.0.0.1');
  });
});
