import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';
import type { HttpAdapterHost } from '@nestjs/core';

import { loadSettings } from '../../config/load-settings.js';
import { PublicUrl } from './public-url.js';
import { TrustedProxies } from './trusted-proxies.js';

const PROXY = '203.0.113.9';

interface Given {
  readonly from?: string;
  readonly headers?: Record<string, string>;
  /** The address that the server listens on. */
  readonly listensOn?: string;
  readonly publicUrl?: string;
  readonly environment?: string;
}

function publicUrlFor({ from = PROXY, headers = {}, listensOn = '0.0.0.0', publicUrl = '', environment = 'production' }: Given) {
  const { settings } = loadSettings({
    env: { NODE_ENV: environment, Service_AppOptions__KnownProxies: PROXY, Service_AppOptions__PublicUrl: publicUrl },
    cwd: '/nonexistent',
  });
  const server = { address: () => ({ address: listensOn, port: 8080 }) };
  const adapters = { httpAdapter: { getHttpServer: () => server } } as unknown as HttpAdapterHost;
  const request = { headers: { host: 'called.example', ...headers }, socket: { remoteAddress: from } } as unknown as IncomingMessage;
  return { address: new PublicUrl(settings, new TrustedProxies(settings), adapters), request };
}

const CONFIGURED = { publicUrl: 'https://devices.example.org/base', headers: { host: 'a b', 'x-forwarded-host': 'other.example.org' } };

describe('the address of the service itself', () => {
  it.each([
    ['0.0.0.0', 'http://localhost:8080'],
    ['::', 'http://localhost:8080'],
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['192.0.2.5', 'http://192.0.2.5:8080'],
  ])('of a service that listens on %s is %s', (listensOn, expected) => {
    expect(publicUrlFor({ listensOn }).address.own).toBe(expected);
  });

  it('is the configured one', () => {
    expect(publicUrlFor(CONFIGURED).address.own).toBe('https://devices.example.org/base');
  });
});

describe('the address in mails', () => {
  it.each([
    [CONFIGURED, 'https://devices.example.org/base'],
    [{ headers: { 'x-forwarded-host': 'evil.example' } }, null],
    [{ listensOn: '127.0.0.1', environment: 'development' }, 'http://localhost:8080'],
  ])('with %j is %s', (given, expected) => {
    expect(publicUrlFor(given).address.forMails).toBe(expected);
  });
});

describe('the address in the answer to a caller', () => {
  const ofCaller = (given: Given): string => {
    const { address, request } = publicUrlFor(given);
    return address.ofCaller(request);
  };

  it('is the configured one', () => {
    expect(ofCaller(CONFIGURED)).toBe('https://devices.example.org/base');
  });

  it.each([
    [{}, 'http://called.example'],
    [{ 'x-forwarded-proto': 'https' }, 'https://called.example'],
    [{ 'x-forwarded-host': 'devices.example.org' }, 'http://devices.example.org'],
    [{ 'x-forwarded-host': 'devices.example.org:8443', 'x-forwarded-proto': 'https' }, 'https://devices.example.org:8443'],
    [{ 'x-forwarded-host': 'devices.example.org', 'x-forwarded-proto': 'javascript' }, 'http://devices.example.org'],
    // The entries before the one of the configured proxy come from the caller.
    [{ 'x-forwarded-host': 'evil.example, devices.example.org', 'x-forwarded-proto': 'http, https' }, 'https://devices.example.org'],
  ])('is the one that a configured proxy names: %j', (headers, expected) => {
    expect(ofCaller({ headers })).toBe(expected);
  });

  it.each(['198.51.100.7', '127.0.0.1', '::1', ''])('is the called host for headers from %j, which is no configured proxy', (from) => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    expect(ofCaller({ from, headers })).toBe('http://called.example');
  });

  const NO_HOST = ['a/b', 'a b', 'user@host', 'host?x=', 'host#x', '[', '', 'evil.example,'];

  it.each(NO_HOST)('is refused for the forwarded host %j', (host) => {
    expect(() => ofCaller({ headers: { 'x-forwarded-host': host } })).toThrow('The X-Forwarded-Host header does not name a host.');
  });

  it.each(NO_HOST)('is refused for the host %j', (host) => {
    expect(() => ofCaller({ headers: { host } })).toThrow('The Host header does not name a host.');
  });
});

describe('a request', () => {
  it.each([
    [CONFIGURED, true],
    [{ headers: { 'x-forwarded-proto': 'https' } }, true],
    [{ headers: { 'x-forwarded-proto': 'https' }, from: '127.0.0.1' }, false],
    [{ headers: { 'x-forwarded-proto': 'https' }, publicUrl: 'http://devices.example.org' }, false],
  ])('with %j counts as one over TLS: %s', (given, expected) => {
    const { address, request } = publicUrlFor(given);
    expect(address.isSecure(request)).toBe(expected);
  });
});
