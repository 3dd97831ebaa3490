import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import { FrontEnd, FrontEndError } from '../../../src/system/web/front-end.js';
import { Browser } from '../../support/callers/browser.js';
import { createDevice } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { FONT, INDEX, SCRIPT, SCRIPT_PATH, smallFrontEnd } from '../../support/stand-ins/small-front-end.js';

/** Headers of Chromium when a user opens an address. */
const OPENED = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8' };
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types desktop-worker";
const FOREVER = 'public, max-age=31536000, immutable';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was transmitted. */
  readonly bytes: Buffer;
}

/** Sends a path as it is written, without the clean-up that `URL` does. */
async function ask(url: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const asking = request({ hostname, port, path, method, headers, agent: false }).end();
  const [received] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: received.statusCode, headers: received.headers, bytes: Buffer.concat((await received.toArray()) as Buffer[]) };
}

const isProblem = ({ headers }: Answer): boolean => headers['content-type']?.startsWith('application/problem+json') === true;

describe('a service with a front end', () => {
  const folder = smallFrontEnd();
  const server = testServer({ Service_WebPath: folder, Service_AppOptions__EnableApiBrowserUi: 'true' });
  const tenant = testTenant(server);
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => ask(server.url, path, headers);
  const open = (path: string): Promise<Answer> => ask(server.url, path, OPENED);
  const head = (path: string, headers: Record<string, string> = {}): Promise<Answer> => ask(server.url, path, headers, 'HEAD');

  describe('serves its files', () => {
    it.each([
      [SCRIPT_PATH, 'text/javascript; charset=utf-8', FOREVER, SCRIPT],
      ['/assets/inter-0a1b2c3d.woff2', 'font/woff2', FOREVER, FONT.toString()],
      ['/theme.js', 'text/javascript; charset=utf-8', 'no-cache', '// Before the first paint.\n'],
      ['/favicon.svg', 'image/svg+xml; charset=utf-8', 'no-cache', '<svg xmlns="http://www.w3.org/2000/svg"/>\n'],
    ])('%s as %s, to be kept as %s', async (path, type, cacheControl, content) => {
      for (const headers of [{}, OPENED]) {
        const answer = await get(path, headers);
        expect([answer.status, answer.bytes.toString()]).toEqual([200, content]);
        expect(answer.headers).toMatchObject({
          'content-type': type,
          'cache-control': cacheControl,
          'content-length': String(answer.bytes.length),
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        });
      }
    });

    it.each([
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ])('as %s where the caller accepts it and the build has it', async (encoding, decompress) => {
      const { headers, bytes } = await get(SCRIPT_PATH, { 'accept-encoding': encoding });
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding', 'content-length': String(bytes.length) });
      expect(decompress(bytes).toString()).toBe(SCRIPT);
      expect((await get('/theme.js', { 'accept-encoding': encoding })).headers).not.toHaveProperty('content-encoding');
    });

    it.each([
      ['gzip, deflate, br, zstd', 'br'],
      ['*', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0, gzip;q=0', undefined],
      ['deflate', undefined],
      ['identity', undefined],
      [undefined, undefined],
    ])('answers Accept-Encoding %j with %s', async (accepted, encoding) => {
      const { headers } = await get(SCRIPT_PATH, accepted === undefined ? {} : { 'accept-encoding': accepted });
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding']);
    });

    it.each([SCRIPT_PATH, '/theme.js', '/devices'])('not again to a browser that has %s already', async (path) => {
      const encoded = { ...OPENED, 'accept-encoding': 'br' };
      const { headers } = await get(path, encoded);
      const etag = headers.etag ?? '';
      expect(etag).toMatch(/^"[\w-]{43}(-br)?"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { ...encoded, 'if-none-match': known });
        expect([known, again.status, again.bytes.length]).toEqual([known, 304, 0]);
        for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy']) {
          expect([name, again.headers[name]]).toEqual([name, headers[name]]);
        }
      }
      expect((await head(path, { ...encoded, 'if-none-match': etag })).status).toBe(304);
      expect((await get(path, { ...encoded, 'if-none-match': '"other"' })).status).toBe(200);
    });

    it('with another ETag for each encoding', async () => {
      const etags = await Promise.all(['br', 'gzip', 'identity'].map((name) => get(SCRIPT_PATH, { 'accept-encoding': name })));
      expect(new Set(etags.map(({ headers }) => headers.etag)).size).toBe(3);
    });

    it.each([SCRIPT_PATH, '/favicon.svg', '/devices', '/nothing', '/assets/nothing.js'])(
      '%s to HEAD like to GET, without the body',
      async (path) => {
        for (const accepted of ['br', 'identity']) {
          const headers = { ...OPENED, 'accept-encoding': accepted };
          const [got, answer] = [await get(path, headers), await head(path, headers)];
          expect([answer.status, answer.bytes.length]).toEqual([got.status, 0]);
          for (const name of ['content-type', 'content-encoding', 'content-length', 'etag', 'vary', 'cache-control']) {
            expect([name, answer.headers[name]]).toEqual([name, got.headers[name]]);
          }
        }
      },
    );

    it('as they were at the start', async () => {
      writeFileSync(join(folder, 'assets', 'later-12345678.js'), '// Added later.\n');
      writeFileSync(join(folder, 'theme.js'), '// Changed later.\n');
      expect((await get('/assets/later-12345678.js')).status).toBe(404);
      expect((await get('/theme.js')).bytes.toString()).toBe('// Before the first paint.\n');
    });
  });

  describe('serves nothing else', () => {
    it.each([
      '/assets/',
      '/assets/nothing.js',
      '/assets/../../package.json',
      '/assets/../theme.js',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..\\..\\package.json',
      '/assets//etc/passwd',
      '/assets/%00',
      `${SCRIPT_PATH}%00`,
      `${SCRIPT_PATH}.br`,
      `${SCRIPT_PATH}/`,
      '/assets/INDEX-Ab1_x-9$.js',
      '/assets/index-Ab1_x-9%24.js',
      '/assets/.hidden.js',
      '/assets/%',
      '/assets/%ff%fe',
      `/assets/${'a'.repeat(8_000)}`,
      `/assets/${'../'.repeat(2_000)}etc/passwd`,
    ])('below /assets/: %s', async (path) => {
      for (const headers of [{}, OPENED]) {
        const answer = await get(path, headers);
        expect([answer.status, answer.bytes.length, answer.headers['content-type']]).toEqual([404, 0, undefined]);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    });

    it.each([
      '/index.html',
      '/index.html.gz',
      '/routes.json',
      '/.sources',
      '/.vite/manifest.json',
      '//theme.js',
      '/./theme.js',
      '/assets',
      '/Theme.js',
      '/theme.js%00',
      '/theme%2ejs',
      '/..',
      '/../theme.js',
      '/%2e%2e/package.json',
      '//evil.example/theme.js',
      '/__proto__',
      '/constructor',
    ])('elsewhere: %s', async (path) => {
      const answer = await get(path);
      expect([answer.status, isProblem(answer)]).toEqual([404, true]);
    });

    it('with a query, or by another method', async () => {
      expect((await get(`${SCRIPT_PATH}?v=1`)).status).toBe(200);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await ask(server.url, SCRIPT_PATH, OPENED, method);
        expect([method, answer.status, isProblem(answer)]).toEqual([method, 404, true]);
      }
    });

    it('for a path with a control character', async () => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      socket.end('GET /assets/\0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    });
  });

  describe('answers a browser that opens an address', () => {
    it.each([
      '/',
      '/devices',
      '/devices/',
      '/DEVICES',
      '/devices/7?tab=files',
      '/devices/7/files',
      '/devices/..%2f',
      '/account/profile',
      '/account/sessions/',
      '/device-access?deviceId=7',
    ])('with the page: %s', async (path) => {
      const answer = await open(path);
      expect([answer.status, answer.bytes.toString()]).toEqual([200, INDEX]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': PAGE_POLICY,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        vary: 'Accept, Accept-Encoding',
      });
      expect(answer.headers['permissions-policy']).toContain('publickey-credentials-get=(self)');
      expect(answer.headers['set-cookie']).toBeUndefined();
    });

    it.each(['/nothing', '/devices/7/8/9', '//devices', '/index.html', '/routes.json', '/%', '/%00', '/..', `/${'a/'.repeat(4_000)}`])(
      'with the page and 404 where there is none: %s',
      async (path) => {
        const answer = await open(path);
        expect([answer.status, answer.bytes.toString()]).toEqual([404, INDEX]);
        expect(answer.headers).toMatchObject({
          'content-security-policy': PAGE_POLICY,
          'cache-control': 'no-store',
          vary: 'Accept, Accept-Encoding',
        });
        expect(answer.headers).not.toHaveProperty('etag');
        expect((await get(path, { ...OPENED, 'if-none-match': '*' })).status).toBe(404);
      },
    );

    it.each([
      '/api',
      '/api/v1/nothing',
      '/API/v1/nothing',
      '/account/nothing',
      '/account/profile/nothing',
      '/hubs/nothing',
      '/relay',
      '/openapi/nothing.json',
      '/api-browser/nothing',
      '/downloads/nothing',
      '/health/nothing',
      '/alive/nothing',
      '/Assets/nothing.js',
    ])('with Problem Details below what answers to programs: %s', async (path) => {
      const answer = await open(path);
      expect([path, answer.status, isProblem(answer)]).toEqual([path, 404, true]);
    });

    it('with what programs get from routes that are no pages', async () => {
      for (const path of ['/health', '/alive', '/openapi/v1.json']) {
        expect((await open(path)).headers['content-type']).toMatch(/^application\/json/);
      }
      expect((await open('/account/session')).status).toBe(401);
      expect((await open('/api/v1/tenants')).status).toBe(401);
      const browser = await open('/api-browser');
      expect([browser.status, browser.bytes.toString()]).toEqual([200, expect.stringContaining('/api-browser/assets/')]);
      expect(browser.headers['content-security-policy']).toMatch(/^default-src 'self';/);
    });

    it('by what it accepts: scripts and programs get what they ask for', async () => {
      for (const accept of ['*/*', 'application/json', 'text/*', 'text/html;q=0, */*', undefined]) {
        const headers: Record<string, string> = accept === undefined ? {} : { accept };
        for (const path of ['/account/profile', '/account/sessions']) {
          const answer = await get(path, headers);
          expect([accept, answer.status, isProblem(answer)]).toEqual([accept, 401, true]);
        }
        for (const path of ['/', '/devices', '/nothing', '/device-access?deviceId=7']) {
          const answer = await get(path, headers);
          expect([accept, path, answer.status, isProblem(answer)]).toEqual([accept, path, 404, true]);
        }
      }
    });

    it('only where it reads', async () => {
      for (const method of ['POST', 'DELETE']) {
        const answer = await ask(server.url, '/devices', OPENED, method);
        expect([method, answer.status, isProblem(answer)]).toEqual([method, 404, true]);
      }
    });

    it('with the link of a logon token first, then with the page', async () => {
      const device = await createDevice(server, { tenantId: tenant.id });
      const body = { tenantId: tenant.id, deviceId: device.id, userCorrelationId: 'person' };
      const { deviceAccessUrl } = (await server.client().post('/api/v1/logon-tokens/external', { body })).as<LogonTokenResponseDto>();
      const browser = new Browser(server, OPENED);
      const opened = await browser.get(deviceAccessUrl.replace('logonToken', 'LOGONTOKEN').replace('/device-access', '/Device-Access'));
      expect([opened.status, opened.headers.get('location')]).toEqual([303, `/device-access?deviceId=${device.id}`]);
      expect((await browser.get(opened.headers.get('location') ?? '')).text).toBe(INDEX);
      const again = await browser.get(deviceAccessUrl);
      expect([again.status, again.text.includes('This link does not work')]).toEqual([401, true]);
      expect(again.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    });
  });
});

describe('a service without a front end', () => {
  const server = testServer();

  it('says so to browsers, and how to build it', async () => {
    for (const [path, status] of [
      ['/', 200],
      ['/devices', 404],
      ['/device-access?deviceId=7', 404],
    ] as const) {
      const answer = await ask(server.url, path, OPENED);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.bytes.toString()).toContain('npm run web:build');
      expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
      expect(answer.headers.vary).toMatch(/^Accept(,|$)/);
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^' ]+'; /);
    }
  });

  it('answers programs as ever', async () => {
    for (const path of ['/', '/devices', '/theme.js', '/api/v1/nothing']) {
      const answer = await ask(server.url, path);
      expect([path, answer.status, isProblem(answer)]).toEqual([path, 404, true]);
    }
    const asset = await ask(server.url, '/assets/index.js', OPENED);
    expect([asset.status, asset.bytes.length]).toEqual([404, 0]);
    expect((await ask(server.url, '/account/profile', OPENED)).status).toBe(401);
  });
});

describe('a folder that is no front end', () => {
  const folder = smallFrontEnd();

  it('stops the start when its list of pages cannot be read', () => {
    for (const routes of ['', '{}', '[1]', '["/']) {
      writeFileSync(join(folder, 'routes.json'), routes);
      expect(() => FrontEnd.read(folder)).toThrow(FrontEndError);
    }
  });

  it('stops the start when it is a file', () => {
    expect(() => FrontEnd.read(join(folder, 'theme.js'))).toThrow(/^WebPath: the front end cannot be read\. /);
  });

  it('stops the start when it holds far too much', () => {
    writeFileSync(join(folder, 'image.bin'), '');
    truncateSync(join(folder, 'image.bin'), 65 * 1024 * 1024);
    expect(() => FrontEnd.read(folder)).toThrow(/^WebPath: .* is too large/);
  });
});
