import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';
import type { HttpAdapterHost } from '@nestjs/core';

import { loadSettings } from '../../config/load-settings.js';
import { Origins } from './origins.js';
import { PublicUrl } from './public-url.js';
import { TrustedProxies } from './trusted-proxies.js';

const PROXY = '203.0.113.9';

interface Given {
  readonly headers: Record<string, string>;
  readonly from?: string;
  readonly env?: Record<string, string>;
}

function allows({ headers, from = PROXY, env = {} }: Given): boolean {
  const { settings } = loadSettings({ env: { Service_AppOptions__KnownProxies: PROXY, ...env }, cwd: '/nonexistent' });
  const server = { address: () => ({ address: '0.0.0.0', port: 8080 }) };
  const adapters = { httpAdapter: { getHttpServer: () => server } } as unknown as HttpAdapterHost;
  const request = { headers: { host: 'dm.example', ...headers }, socket: { remoteAddress: from } } as unknown as IncomingMessage;
  return new Origins(settings, new PublicUrl(settings, new TrustedProxies(settings), adapters)).allows(request);
}

describe('the check of the origin of a page', () => {
  it.each<[string, Given]>([
    ['no page', { headers: {} }],
    ['the same host', { headers: { origin: 'http://dm.example' } }],
    ['the same host behind a proxy that takes TLS off', { headers: { origin: 'https://DM.example' } }],
    ['the same host with the usual port written', { headers: { origin: 'https://dm.example', host: 'dm.example:443' } }],
    ['the same host and port', { headers: { origin: 'http://dm.example:8080', host: 'dm.example:8080' } }],
    [
      'the public address',
      { headers: { origin: 'https://public.example' }, env: { Service_AppOptions__PublicUrl: 'https://public.example' } },
    ],
    [
      'the address that a trusted proxy names',
      { headers: { origin: 'https://p.example', 'x-forwarded-host': 'p.example', 'x-forwarded-proto': 'https' } },
    ],
    [
      'an origin that CORS allows',
      {
        headers: { origin: 'https://pages.example' },
        env: { Service_AppOptions__EnableCors: 'true', Service_AppOptions__CorsAllowedOrigins: 'https://pages.example' },
      },
    ],
  ])('allows %s', (_what, given) => {
    expect(allows(given)).toBe(true);
  });

  it.each<[string, Given]>([
    ['another host', { headers: { origin: 'https://evil.example' } }],
    ['another port', { headers: { origin: 'http://dm.example:8081', host: 'dm.example:8080' } }],
    ['a host that begins alike', { headers: { origin: 'https://dm.example.evil.example' } }],
    ['a page without an origin of its own', { headers: { origin: 'null' } }],
    ['an empty origin', { headers: { origin: '' } }],
    ['no host', { headers: { origin: 'https://evil.example', host: '' } }],
    [
      'another scheme than the public address',
      { headers: { origin: 'http://public.example' }, env: { Service_AppOptions__PublicUrl: 'https://public.example' } },
    ],
    [
      'the address that an untrusted caller names',
      { headers: { origin: 'https://p.example', 'x-forwarded-host': 'p.example' }, from: '198.51.100.1' },
    ],
    [
      'an origin of CORS that is off',
      { headers: { origin: 'https://pages.example' }, env: { Service_AppOptions__CorsAllowedOrigins: 'https://pages.example' } },
    ],
  ])('refuses %s', (_what, given) => {
    expect(allows(given)).toBe(false);
  });
});
