import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';
import type { HttpAdapterHost } from '@nestjs/core';

import { loadSettings } from '../config/load-settings.js';
import { PublicUrl } from './public-url.js';
import { TrustedProxies } from './trusted-proxies.js';

const PROXY = '203.0.113.9';

interface Given {
  readonly from?: string;
  readonly headers?: Record<string, string>;
  /** The address that the server listens on. */
  readonly listensOn?: string;
  readonly publicUrl?: string;
}

function addressFor({ from = PROXY, headers = {}, listensOn = '0.0.0.0', publicUrl = '' }: Given): string {
  const { settings } = loadSettings({
    env: { Service_AppOptions__KnownProxies: PROXY, Service_AppOptions__PublicUrl: publicUrl },
    cwd: '/nonexistent',
  });
  const server = { address: () => ({ address: listensOn, port: 8080 }) };
  const adapters = { httpAdapter: { getHttpServer: () => server } } as unknown as HttpAdapterHost;
  const request = { headers: { host: 'evil.example', ...headers }, socket: { remoteAddress: from } } as unknown as IncomingMessage;
  return new PublicUrl(settings, new TrustedProxies(settings), adapters).of(request);
}

describe('the public URL', () => {
  it.each([
    ['0.0.0.0', 'http://localhost:8080'],
    ['::', 'http://localhost:8080'],
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['192.0.2.5', 'http://192.0.2.5:8080'],
  ])('of a service that listens on %s is %s, whatever the Host header says', (listensOn, expected) => {
    expect(addressFor({ listensOn })).toBe(expected);
  });

  it('prefers the configured one', () => {
    const headers = { 'x-forwarded-host': 'other.example.org' };
    expect(addressFor({ headers, publicUrl: 'https://devices.example.org/base' })).toBe('https://devices.example.org/base');
  });

  it.each([
    [{ 'x-forwarded-host': 'devices.example.org' }, 'http://devices.example.org'],
    [{ 'x-forwarded-host': 'devices.example.org:8443', 'x-forwarded-proto': 'https' }, 'https://devices.example.org:8443'],
    [{ 'x-forwarded-host': 'devices.example.org', 'x-forwarded-proto': 'javascript' }, 'http://devices.example.org'],
    // The entries before the one of the trusted proxy come from the caller.
    [{ 'x-forwarded-host': 'evil.example, devices.example.org', 'x-forwarded-proto': 'http, https' }, 'https://devices.example.org'],
  ])('is the one that a trusted proxy names: %j', (headers, expected) => {
    expect(addressFor({ headers })).toBe(expected);
  });

  it.each(['198.51.100.7', ''])('ignores headers from %j, which is not a trusted proxy', (from) => {
    expect(addressFor({ from, headers: { 'x-forwarded-host': 'evil.example' } })).toBe('http://localhost:8080');
  });

  it('ignores a trusted proxy that names no host', () => {
    expect(addressFor({ headers: { 'x-forwarded-proto': 'https' } })).toBe('http://localhost:8080');
  });

  it.each(['a/b', 'a b', 'user@host', 'host?x=', 'host#x', '[', '', 'evil.example,'])('refuses the forwarded host %j', (host) => {
    expect(() => addressFor({ headers: { 'x-forwarded-host': host } })).toThrow('The X-Forwarded-Host header does not name a host.');
  });
});
