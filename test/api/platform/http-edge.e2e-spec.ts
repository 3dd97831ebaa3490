import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { describe, expect, it } from 'vitest';
import { Body, Controller, Get, HttpCode, Logger, Module, Post } from '@nestjs/common';

import { AllowAnonymous } from '../../../src/access/authorization/guard/access.js';
import { Instant, Text, TextList } from '../../../src/platform/http/binding/fields.js';
import { JSON_BODY_LIMIT, MAX_JSON_DEPTH } from '../../../src/platform/http/bodies/json-body.js';
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../../../src/platform/http/connections/slow-clients.js';
import type { ApiAnswer, ApiCall } from '../../support/application/api-client.js';
import { ROOT_KEY, TestApp } from '../../support/application/app.js';
import { eventually } from '../../support/eventually.js';
import { createDevice, createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const TENANTS = '/api/v1/tenants';
const ANONYMOUS = '/api/v1/public-server-settings';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

class EchoDto {
  @Text('', { max: 100 }) name: string;
}

class EchoValuesDto {
  @TextList('', { default: [], maxLength: 100 }) names: string[];
  @Instant('', { nullable: true }) at: Date | null;
}

/** Routes that exist only in these tests. */
@Controller('api/edge')
class EdgeController {
  @Get('failure')
  @AllowAnonymous()
  fail(): never {
    throw new Error('the secret of the inner works');
  }

  @Get('nothing-to-say')
  @HttpCode(204)
  @AllowAnonymous()
  nothing(): void {}

  @Post('echo')
  @AllowAnonymous()
  echo(@Body() body: EchoDto): EchoDto {
    return body;
  }

  @Post('echo-values')
  @AllowAnonymous()
  echoValues(@Body() body: EchoValuesDto): EchoValuesDto {
    return body;
  }
}

@Module({ controllers: [EdgeController] })
class EdgeModule {}

interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly traceId?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** The Problem Details of an answer, after checks that apply to all of them. */
function problemOf(answer: ApiAnswer, status: number): Problem {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem: Problem = JSON.parse(answer.text);
  expect(problem).toMatchObject({ type: 'about:blank', status });
  expect(problem.title).not.toBe('');
  return problem;
}

/** Sends raw bytes and returns everything received until the other side closes. */
async function exchange(server: TestApp, text: string): Promise<string> {
  const socket = await open(server);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.write(text);
  // A server that closes before it has read everything resets the connection.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(received).toString();
}

/** An answer as it was sent: the names of its headers, some of their values, and the body. */
function partsOf(answer: string): {
  readonly names: readonly string[];
  readonly contentType: string | undefined;
  readonly contentLength: string | undefined;
  readonly body: string;
} {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const headers = new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const type = headers.get('Content-Type');
  return { names: [...headers.keys()].toSorted(), contentType: type?.split(';')[0], contentLength: headers.get('Content-Length'), body };
}

async function open(server: TestApp): Promise<Socket> {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

describe('the HTTP edge', () => {
  const server = testServer({}, [EdgeModule]);

  const echo = (body: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
    server.client({}).post('/api/edge/echo', { body, headers });
  const echoValues = (body: string): Promise<ApiAnswer> => server.client({}).post('/api/edge/echo-values', { body });

  describe('paths and methods', () => {
    it.each(['/api/v1/nothing-here', '/api/nothing', '/api', '/nothing', '/api/v1/tenants/x/y/z', '/api/v1//'])(
      'answers 404 for %s',
      async (path) => {
        expect(problemOf(await server.client().get(path), 404).title).toBe('Not found.');
        problemOf(await server.client({}).post(path, { body: {} }), 404);
      },
    );

    it('answers 405 with the methods of a known path', async () => {
      const answer = await server.client().delete(TENANTS);
      expect(problemOf(answer, 405).title).toBe('Method not allowed.');
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    });

    it('answers 404 for a segment that cannot be a GUID', async () => {
      problemOf(await server.client().get(`${TENANTS}/not-a-guid`), 404);
      problemOf(await server.client().patch(`${TENANTS}/not-a-guid`, { body: {} }), 404);
    });

    it.each([
      [`${TENANTS}/not-a-guid`, 'tenantId in the path must be a GUID with hyphens, such as 01234567-89ab-cdef-0123-456789abcdef.'],
      [
        `${TENANTS}/3fa85f6457174562b3fc2c963f66afa6`,
        'tenantId in the path must be a GUID with hyphens, such as 01234567-89ab-cdef-0123-456789abcdef.',
      ],
      [
        '/api/v1/tenant-service-accounts/x',
        'tenantId in the path must be a GUID with hyphens, such as 01234567-89ab-cdef-0123-456789abcdef.',
      ],
      [
        '/api/v1/desktop-preview/3fa85f64-5717-4562-b3fc-2c963f66afa6/one',
        'targetProcessId in the path must be a whole number of 32 bits.',
      ],
    ])('says what a segment of the path must be: %s', async (path, sentence) => {
      for (const client of [server.client(), server.client({})]) {
        expect(problemOf(await client.get(path), 404).detail).toBe(`There is no such route: ${sentence}`);
      }
      const known = await server.client().patch(`${TENANTS}/3fa85f64-5717-4562-b3fc-2c963f66afa6`, { body: {} });
      problemOf(known, 405);
      expect(known.headers.get('allow')).toBe('DELETE, GET, HEAD, PUT');
    });

    it('answers 400 for an invalid percent-encoding', async () => {
      problemOf(await server.client().get(`${TENANTS}/%E0%A4%A`), 400);
      problemOf(await server.client().get(`${TENANTS}/%`), 400);
    });

    it('answers HEAD like GET without the body', async () => {
      const got = await server.client().get(TENANTS);
      const head = await server.client().call('HEAD', TENANTS);
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
      expect((await server.client({}).call('HEAD', TENANTS)).status).toBe(401);
    });

    it('answers OPTIONS with the methods, and grants no origin while cross-origin requests are off', async () => {
      const answer = await server.client().call('OPTIONS', TENANTS, {
        headers: { origin: 'https://portal.example.org', 'access-control-request-method': 'POST' },
      });
      problemOf(answer, 405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });

    it.each(['1.0', '1'])('accepts the supported version, written as %s', async (version) => {
      expect((await server.client().get(TENANTS, { query: { 'api-version': version } })).status).toBe(200);
      expect((await server.client().get(TENANTS, { query: { 'API-Version': version } })).status).toBe(200);
      expect((await server.client({}).get(ANONYMOUS, { query: { 'api-version': version } })).status).toBe(200);
    });

    it.each(['2.0', '2', '1.00', 'v1', ''])('answers 400 for the version %j, and names the supported one', async (version) => {
      const query = { 'api-version': version };
      const expected = { 'api-version': ['api-version must be 1.0, the only version that is supported.'] };
      expect(problemOf(await server.client().get(TENANTS, { query }), 400).errors).toEqual(expected);
      expect(problemOf(await server.client().post(TENANTS, { query, body: { name: 'x' } }), 400).errors).toEqual(expected);
      expect(problemOf(await server.client({}).get(ANONYMOUS, { query }), 400).errors).toEqual(expected);
    });

    it('refuses two versions, checks the version after the credential, and only on versioned routes', async () => {
      problemOf(await server.client().get(`${TENANTS}?api-version=1.0&api-version=2.0`), 400);
      problemOf(await server.client({}).get(TENANTS, { query: { 'api-version': '2.0' } }), 401);
      expect((await server.client({}).get('/alive', { query: { 'api-version': '2.0' } })).status).toBe(200);
    });
  });

  describe('bodies', () => {
    it('reads names in any case, ignores unknown members, and uses the last of two', async () => {
      expect((await echo('{"NAME":"a","other":{"x":[1]}}')).body).toEqual({ name: 'a' });
      expect((await echo('{"name":"a","Name":"b"}')).body).toEqual({ name: 'b' });
      expect((await echo('{"name":"a","name":"b"}')).body).toEqual({ name: 'b' });
    });

    it('replaces unpaired surrogates, so that the answer equals the stored value', async () => {
      expect((await echo(String.raw`{"name":"a\ud800b"}`)).body).toEqual({ name: 'a\uFFFDb' });
      const answer = await echoValues(String.raw`{"names":["\udc00","\ud83d\ude00"]}`);
      expect(answer.body).toMatchObject({ names: ['\uFFFD', '\u{1F600}'] });
    });

    it.each(['9999-12-31T23:59:59.9999999Z', '0001-01-01T00:00:00Z', '2026-11-20', '2026-11-20T10:00:00+14:00'])(
      'reads %s as an instant',
      async (at) => {
        expect((await echoValues(JSON.stringify({ at }))).body).toMatchObject({ at: expect.stringMatching(/^\d{4}-/) });
      },
    );

    it.each(['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00', '0000-01-01T00:00:00Z', '2026-02-29', '20261120', ''])(
      'refuses %j as an instant, because clients could not read it again',
      async (at) => {
        expect(problemOf(await echoValues(JSON.stringify({ at })), 400).errors).toEqual({ at: [expect.any(String)] });
      },
    );

    it('ignores names of prototype members', async () => {
      const answer = await echo('{"__proto__":{"name":"p"},"constructor":{"prototype":{"name":"c"}},"toString":1,"name":"a"}');
      expect(answer.body).toEqual({ name: 'a' });
      expect(problemOf(await echo('{"__proto__":{"name":"p"}}'), 400).errors).toEqual({ name: ['name is required.'] });
      expect(({} as Record<string, unknown>).name).toBeUndefined();
    });

    it.each(['{', '{"name":}', '{"name":"a"', 'name=a', '{"name":"a"} {}', '\u0000', '{"name":"\u0007"}', 'NaN'])(
      'answers 400 for %j, which is not JSON',
      async (text) => {
        expect(problemOf(await echo(text), 400).errors).toEqual({ $: ['The body is not valid JSON.'] });
      },
    );

    it.each(['[]', '"text"', '5', 'true', 'null', '[{"name":"a"}]'])('answers 400 for %s, which is not an object', async (text) => {
      expect(problemOf(await echo(text), 400).errors).toEqual({ $: ['A JSON object is required.'] });
    });

    it.each(['{}', '{"name":null}', '{"name":5}', '{"name":{}}', '{"name":["a"]}', '{"name":true}', '{"name":"\\u0000"}'])(
      'answers 400 for %s and names the field',
      async (text) => {
        expect(Object.keys(problemOf(await echo(text), 400).errors ?? {})).toEqual(['name']);
      },
    );

    it('answers 400 for no body at all', async () => {
      expect(problemOf(await server.client({}).post('/api/edge/echo'), 400).errors).toEqual({ $: ['A JSON object is required.'] });
    });

    it('answers 400 for too deep nesting', async () => {
      const nested = (depth: number): string => `{"name":"a","other":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
      expect((await echo(nested(MAX_JSON_DEPTH))).status).toBe(201);
      expect(problemOf(await echo(nested(MAX_JSON_DEPTH + 1)), 400).detail).toContain(String(MAX_JSON_DEPTH));
      problemOf(await echo(nested(200_000)), 400);
      problemOf(await echo(`{"name":${'['.repeat(500_000)}`), 400);
    });

    it('answers 413 above the limit, also when the length is not announced', async () => {
      const filled = (size: number): string => `{"name":"a","x":"${'x'.repeat(size - '{"name":"a","x":""}'.length)}"}`;
      expect((await echo(filled(JSON_BODY_LIMIT))).status).toBe(201);
      expect(problemOf(await echo(filled(JSON_BODY_LIMIT + 1)), 413).title).toBe('Payload too large.');
      const chunk = 'x'.repeat(64 * 1024);
      const chunked = await exchange(
        server,
        'POST /api/edge/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
          `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(17) +
          '0\r\n\r\n',
      );
      expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=x', ''])(
      'answers 415 for a body of the content type %j',
      async (type) => {
        expect(problemOf(await echo('{"name":"a"}', { 'content-type': type }), 415).title).toBe('Unsupported media type.');
      },
    );

    it('answers 415 for unsupported encodings', async () => {
      problemOf(await echo('{"name":"a"}', { 'content-type': 'application/json; charset=utf-16' }), 415);
      problemOf(await echo('{"name":"a"}', { 'content-type': 'application/json; charset=latin1' }), 415);
      for (const encoding of ['compress', 'gzip', 'br']) problemOf(await echo('{"name":"a"}', { 'content-encoding': encoding }), 415);
    });

    it('reads other JSON media types', async () => {
      expect((await echo('{"name":"a"}', { 'content-type': 'application/merge-patch+json' })).status).toBe(201);
      expect((await echo('{"name":"é"}', { 'content-type': 'Application/JSON; charset=UTF-8' })).body).toEqual({ name: 'é' });
    });

    it('requires a credential before it checks the body', async () => {
      problemOf(await server.client({}).post(TENANTS, { body: 'x', headers: { 'content-type': 'text/plain' } }), 401);
      problemOf(await server.client({}).post(TENANTS, { body: '{"name":' }), 401);
      problemOf(await server.client({}).post(TENANTS, { body: `"${'x'.repeat(JSON_BODY_LIMIT)}"` }), 401);
    });

    it('checks the path before the body, and ignores bodies of routes that take none', async () => {
      problemOf(await server.client().post('/api/v1/nothing-here', { body: '{"name":' }), 404);
      problemOf(await server.client().patch(TENANTS, { body: '{"name":' }), 405);
      problemOf(await server.client().delete(`${TENANTS}/3fa85f64-5717-4562-b3fc-2c963f66afa6`, { body: '{"name":' }), 404);
    });
  });

  describe('the id of a request', () => {
    it.each<[string, string, number, ApiCall?]>([
      ['GET', TENANTS, 200],
      ['HEAD', TENANTS, 200],
      ['GET', ANONYMOUS, 200],
      ['PUT', '/api/v1/server-alert', 405],
      ['GET', `${TENANTS}/3fa85f64-5717-4562-b3fc-2c963f66afa6`, 404],
      ['GET', '/nothing', 404],
      ['GET', `${TENANTS}/%`, 400],
      ['POST', TENANTS, 400, { body: '{' }],
      ['GET', '/api/edge/nothing-to-say', 204],
      ['GET', '/api/edge/failure', 500],
      ['GET', '/health', 200],
      ['GET', '/alive', 200],
      ['POST', '/hubs/viewer/negotiate?negotiateVersion=1', 200],
      ['GET', '/hubs/viewer/negotiate', 405],
    ])('stands in the answer to %s %s, which is %i', async (method, path, status, call = {}) => {
      const own = await server.client().call(method, path, call);
      expect([own.status, own.headers.get('x-request-id')]).toEqual([status, expect.stringMatching(/^[0-9a-f]{32}$/)]);
      const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
      const traced = await server.client().call(method, path, { ...call, headers: { ...call.headers, traceparent } });
      expect(traced.headers.get('x-request-id')).toBe(TRACE_ID);
    });

    it('is the trace id of an error that has one', async () => {
      const answer = await server.client({}).get('/api/edge/failure');
      expect(problemOf(answer, 500).traceId).toBe(answer.headers.get('x-request-id'));
    });
  });

  describe('unexpected errors', () => {
    it('answers 500 with the trace id and no internal details', async () => {
      const answer = await server.client({}).get('/api/edge/failure', { headers: { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` } });
      const problem = problemOf(answer, 500);
      expect(problem).toMatchObject({ title: 'Internal server error.', traceId: TRACE_ID });
      expect(answer.text).not.toMatch(/secret|stack|at /);
    });

    it.each(['', 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `00-${TRACE_ID}-${'0'.repeat(16)}-01`, `01-${TRACE_ID}`])(
      'creates a new id for the invalid traceparent %j',
      async (traceparent) => {
        const first = problemOf(await server.client({}).get('/api/edge/failure', { headers: { traceparent } }), 500);
        const second = problemOf(await server.client({}).get('/api/edge/failure', { headers: { traceparent } }), 500);
        expect(first.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
        expect(first.traceId).not.toBe(second.traceId);
      },
    );

    it('answers browsers like other clients', async () => {
      problemOf(await server.client({}).get('/api/edge/failure', { headers: { accept: 'text/html' } }), 500);
    });
  });

  describe('clients that misbehave', () => {
    it('survives a client that disconnects in the middle of its body', async () => {
      for (let times = 0; times < 5; times++) {
        const socket = await open(server);
        const arrived = nextRequest(server);
        socket.write('POST /api/edge/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name"');
        const request = await arrived;
        const gone = new Promise((resolve) => request.once('close', resolve));
        socket.resetAndDestroy();
        await gone;
      }
      expect((await echo('{"name":"a"}')).status).toBe(201);
    });

    it.each(['GARBAGE\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`])(
      'refuses input that is not an HTTP request',
      async (text) => {
        expect(await exchange(server, text)).toMatch(/^HTTP\/1\.1 4\d\d /);
        expect((await echo('{"name":"a"}')).status).toBe(201);
      },
    );

    it.each<[what: string, text: string, status: number, title: string]>([
      ['an unknown method', `BREW ${TENANTS} HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'Invalid request.'],
      ['no request at all', 'GARBAGE\r\n\r\n', 400, 'Invalid request.'],
      ['too large headers', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'Request header fields too large.'],
    ])('answers %s like other wrong requests, in a form that clients can read', async (_what, text, status, title) => {
      const other = partsOf(await exchange(server, 'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
      const { names, contentType, contentLength, body } = partsOf(await exchange(server, text));
      expect({ names, contentType }).toEqual({ names: other.names, contentType: other.contentType });
      expect(contentLength).toBe(String(Buffer.byteLength(body)));
      expect(JSON.parse(body)).toEqual({ type: 'about:blank', title, status, detail: expect.stringMatching(/^[A-Z].*\.$/) });
    });

    it('refuses two content lengths', async () => {
      const head = 'POST /api/edge/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n';
      expect(await exchange(server, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
      expect(await exchange(server, `${head}Content-Length: 6\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 400 /);
    });

    it('limits the time for headers and requests', () => {
      const { headersTimeout, requestTimeout, keepAliveTimeout } = server.app.getHttpServer();
      expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      });
    });
  });

  describe('security headers', () => {
    const API_POLICY = /^default-src 'none'; frame-ancestors 'none'$/;
    const BROWSER_POLICY = /default-src 'self'.*object-src 'none'.*script-src 'self'/;

    it.each([
      ['GET', TENANTS, API_POLICY, 'DENY'],
      ['GET', '/api/edge/failure', API_POLICY, 'DENY'],
      ['DELETE', TENANTS, API_POLICY, 'DENY'],
      ['GET', '/nothing', API_POLICY, 'DENY'],
      ['GET', '/health', API_POLICY, 'DENY'],
      ['GET', '/account/session', API_POLICY, 'DENY'],
      ['GET', '/api-browser', BROWSER_POLICY, 'SAMEORIGIN'],
    ])('stand on every answer: %s %s', async (method, path, policy, frames) => {
      const { headers } = await server.client().call(method, path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe(frames);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toMatch(policy);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  describe('the address of the caller', () => {
    const addressFor = async (forwarded: string | undefined, app: TestApp = server): Promise<string> => {
      const headers = { 'x-api-key': ROOT_KEY, ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }) };
      const { tenantId } = (await app.client(headers).post(TENANTS, { body: { name: 'noted' } })).as<{ tenantId: string }>();
      const [row] = await app.dataSource.query<{ ip_address: string }[]>(
        `SELECT ip_address FROM authorization_change_logs WHERE action_type = 'tenant-created' AND target_id = $1`,
        [tenantId],
      );
      return row?.ip_address ?? '';
    };

    it.each([
      [undefined, '127.0.0.1'],
      ['203.0.113.9', '203.0.113.9'],
      ['2001:db8::7', '2001:db8::7'],
      // Only the last hop is trusted. A caller may have written the entries before it.
      ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
      ['127.0.0.1, 203.0.113.9', '203.0.113.9'],
      ['203.0.113.9, 127.0.0.1', '203.0.113.9'],
      ['not an address', '127.0.0.1'],
      ['1'.repeat(500), '127.0.0.1'],
    ])('behind the loopback proxy, X-Forwarded-For %j means %s', async (forwarded, expected) => {
      expect(await addressFor(forwarded)).toBe(expected);
    });

    it('follows the chain through the configured proxies and networks', async () => {
      const proxied = await TestApp.start({
        Service_AppOptions__KnownProxies: '203.0.113.9',
        Service_AppOptions__KnownNetworks: '10.0.0.0/8',
      });
      try {
        expect(await addressFor('198.51.100.1, 203.0.113.9', proxied)).toBe('198.51.100.1');
        expect(await addressFor('198.51.100.1, 10.1.2.3, 203.0.113.9', proxied)).toBe('198.51.100.1');
        expect(await addressFor('192.0.2.66, 198.51.100.1, 10.1.2.3', proxied)).toBe('198.51.100.1');
      } finally {
        await proxied.stop();
      }
    });
  });
});

describe('cross-origin requests, when they are on', () => {
  const FRIEND = 'https://portal.example.org';
  const server = testServer({ Service_AppOptions__EnableCors: 'true', Service_AppOptions__CorsAllowedOrigins: FRIEND });

  it('are answered for the configured origins, errors included', async () => {
    for (const path of [TENANTS, '/api/v1/nothing']) {
      const { headers } = await server.client().get(path, { headers: { origin: FRIEND } });
      expect(headers.get('access-control-allow-origin')).toBe(FRIEND);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-expose-headers')).toBe('X-Request-Id,ETag,Location,Retry-After,WWW-Authenticate');
      expect(headers.get('vary')).toMatch(/origin/i);
    }
  });

  it('are allowed in the answer to a preflight, which carries no credential', async () => {
    const answer = await server.client({}).call('OPTIONS', TENANTS, {
      headers: { origin: FRIEND, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'if-match,x-api-key' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(FRIEND);
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(answer.headers.get('access-control-allow-headers')).toBe('if-match,x-api-key');
  });

  it.each(['https://evil.example.org', `${FRIEND}.evil.example`, 'http://portal.example.org', 'null'])(
    'are not granted to %s',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await server.client().call(method, TENANTS, { headers: { origin, 'access-control-request-method': 'GET' } });
        expect(headers.get('access-control-allow-origin')).toBeNull();
      }
    },
  );
});

describe('in development', () => {
  const server = testServer({ NODE_ENV: 'development' }, [EdgeModule]);

  it('shows the stack of an unexpected error, as a page to browsers and as JSON to others', async () => {
    const page = await server.client({}).get('/api/edge/failure', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(page.status).toBe(500);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toContain('the secret of the inner works');
    const json = await server.client({}).get('/api/edge/failure');
    problemOf(json, 500);
    expect(json.body).toMatchObject({ detail: 'the secret of the inner works', stack: expect.stringContaining('EdgeController') });
  });

  it('serves the API browser', async () => {
    expect((await server.client({}).get('/api-browser')).status).toBe(200);
  });
});

describe('request logging', () => {
  const server = testServer({ Service_AppOptions__UseHttpLogging: 'true' }, [EdgeModule]);

  /** The lines that are logged during some work, once there are `count` of them. */
  async function linesOf(count: number, work: () => Promise<unknown>): Promise<unknown[]> {
    const lines: unknown[] = [];
    const note = (message: unknown): void => {
      lines.push(message);
    };
    Logger.overrideLogger({ log: note, error: note, warn: note });
    try {
      await work();
      await eventually('the lines are written', () => lines.length >= count);
    } finally {
      Logger.overrideLogger(false);
    }
    return lines;
  }

  it('names the request id and the principal on every line, and never the query', async () => {
    const lines = await linesOf(3, async () => {
      const headers = { 'x-api-key': ROOT_KEY, traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
      await server.client(headers).get(TENANTS, { query: { secret: 'in-the-query' } });
      await server.client(headers).get('/api/edge/failure');
      await server.client(headers).get('/alive');
    });
    expect(lines).toEqual([
      expect.objectContaining({ message: 'request', method: 'GET', path: TENANTS, status: 200, requestId: TRACE_ID, complete: true }),
      expect.objectContaining({ requestId: TRACE_ID, path: '/api/edge/failure', error: expect.stringContaining('the inner works') }),
      expect.objectContaining({ message: 'request', path: '/api/edge/failure', status: 500, requestId: TRACE_ID }),
    ]);
    expect(lines[0]).toHaveProperty('principal', expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(JSON.stringify(lines)).not.toContain('in-the-query');
    expect(JSON.stringify(lines)).not.toContain(ROOT_KEY);
  });

  it('names the device of a request, from the path or the body', async () => {
    const tenant = await createTenant(server);
    const device = await createDevice(server, { tenantId: tenant.id });
    const lines = await linesOf(2, async () => {
      await server.client().get(`/api/v1/devices/${device.id.toUpperCase()}`);
      const body = { deviceId: device.id };
      await server.client().post('/api/v1/device-file-system/root-drives', { query: { tenantId: tenant.id }, body });
    });
    expect(lines).toEqual(expect.arrayContaining([200, 409].map((status) => expect.objectContaining({ status, deviceId: device.id }))));
  });

  it('contains no activation code', async () => {
    const lines = await linesOf(1, () => server.client({}).get('/Invite-Confirmation/an-activation-code'));
    expect(lines).toEqual([expect.objectContaining({ path: '/invite-confirmation/***', status: 404 })]);
  });
});

describe('health', () => {
  it('depends on the database, while `alive` does not', async () => {
    const server = await TestApp.start();
    try {
      const healthy = await server.client({}).get('/health');
      expect([healthy.status, healthy.body]).toEqual([200, { status: 'Healthy', database: 'Healthy' }]);
      expect(healthy.headers.get('cache-control')).toBe('no-store');
      await server.database.drop();
      // Callers share a probe for a second.
      let unhealthy = healthy;
      await eventually('the loss is noticed', async () => {
        unhealthy = await server.client({}).get('/health');
        return unhealthy.status !== 200;
      });
      expect([unhealthy.status, unhealthy.body]).toEqual([503, { status: 'Unhealthy', database: 'Unhealthy' }]);
      expect((await server.client({}).get('/alive')).status).toBe(200);
      const failing = await server.client().get(TENANTS);
      problemOf(failing, 503);
      expect(failing.text).not.toMatch(/database|relation|does not exist/i);
    } finally {
      await server.stop();
    }
  });
});

/** The next request that reaches a server, as soon as its headers have arrived. */
function nextRequest(server: TestApp): Promise<NodeJS.EventEmitter> {
  return new Promise((resolve) => {
    server.app.getHttpServer().once('request', (request: NodeJS.EventEmitter) => resolve(request));
  });
}
