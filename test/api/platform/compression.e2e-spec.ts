import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from 'vitest';
import { Controller, Get, Module, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';

import { AllowAnonymous } from '../../../src/access/authorization/guard/access.js';
import { DevicesRepository } from '../../../src/devices/devices/devices.repository.js';
import { COMPRESSION_THRESHOLD } from '../../../src/platform/http/bodies/compression.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { settled } from '../../support/eventually.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const DESCRIPTION = '/openapi/v1.json';
const DEVICES = '/api/v1/devices';
const DEVICE_COUNT = 9_000;
const BYTES = Buffer.alloc(4 * COMPRESSION_THRESHOLD, 'x');

/** Answers around the threshold, and answers that are not text. */
@Controller('api/sized')
class SizedController {
  @Get('short')
  @AllowAnonymous()
  short(): { readonly text: string } {
    return { text: 'x'.repeat(COMPRESSION_THRESHOLD - '{"text":""}'.length - 1) };
  }

  @Get('long')
  @AllowAnonymous()
  long(): { readonly text: string } {
    return { text: 'x'.repeat(COMPRESSION_THRESHOLD - '{"text":""}'.length) };
  }

  @Get('bytes')
  @AllowAnonymous()
  bytes(@Res() response: Response): void {
    response.type('application/octet-stream').send(BYTES);
  }

  @Get('file')
  @AllowAnonymous()
  file(): StreamableFile {
    return new StreamableFile(BYTES, { type: 'application/json' });
  }

  @Get('events')
  @AllowAnonymous()
  events(@Res() response: Response): void {
    response.type('text/event-stream');
    response.write(`data: ${BYTES.toString()}\n\n`);
    response.end();
  }
}

@Module({ controllers: [SizedController] })
class SizedModule {}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was transmitted. */
  readonly bytes: Buffer;
}

describe('compression', () => {
  const server = testServer({ Service_AppOptions__EnableApiBrowserUi: 'true' }, [SizedModule]);

  beforeAll(async () => {
    const { id } = await createTenant(server);
    // Nothing is searched here, and the trigrams of random texts take long to index.
    await server.dataSource.query('ALTER TABLE devices DISABLE TRIGGER device_search_text_on_insert');
    await server.dataSource.query(
      `INSERT INTO devices (id, tenant_id, name, os_description, current_users, created_at)
       SELECT gen_random_uuid(), $1, 'device ' || n, md5(n::text), ARRAY(SELECT md5((n * i)::text) FROM generate_series(1, 60) i),
              '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second'
       FROM generate_series(1, $2::integer) n`,
      [id, DEVICE_COUNT],
    );
  });

  async function open(path: string, accepted: string | undefined, method = 'GET'): Promise<IncomingMessage> {
    const headers = { 'x-api-key': ROOT_KEY, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) };
    const asking = request(new URL(path, server.url), { method, headers, agent: false }).end();
    const [received] = (await once(asking, 'response')) as [IncomingMessage];
    return received;
  }

  async function ask(path: string, accepted: string | undefined, method = 'GET'): Promise<Answer> {
    const received = await open(path, accepted, method);
    const bytes = Buffer.concat((await received.toArray()) as Buffer[]);
    return { status: received.statusCode, headers: received.headers, bytes };
  }

  /** The headers of an answer whose body is not read. */
  async function headersOf(path: string, accepted: string | undefined): Promise<IncomingHttpHeaders> {
    const received = await open(path, accepted);
    received.on('error', () => undefined).destroy();
    return received.headers;
  }

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('sends a long text as %s to a caller that accepts it', async (encoding, decompress) => {
    const plain = await ask(DESCRIPTION, undefined);
    const { headers, bytes } = await ask(DESCRIPTION, encoding);
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding', 'content-length': String(bytes.length) });
    expect(headers['content-type']).toBe(plain.headers['content-type']);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(decompress(bytes).equals(plain.bytes)).toBe(true);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['*', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.1', 'gzip'],
    ['gzip;q=0, *', 'br'],
    ['gzip;q=0', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    [undefined, undefined],
  ])('answers %j with the encoding %s', async (accepted, encoding) => {
    for (const path of [DESCRIPTION, DEVICES]) {
      const headers = await headersOf(path, accepted);
      expect([path, headers['content-encoding'], headers.vary]).toEqual([path, encoding, 'Accept-Encoding']);
    }
  });

  it('does not compress short answers', async () => {
    for (const path of ['/api/sized/short', '/api/v1/tenants', '/api/v1/nothing', '/alive']) {
      const { headers } = await ask(path, 'br, gzip');
      expect([path, headers['content-encoding'], headers.vary]).toEqual([path, undefined, undefined]);
      expect(headers['content-length']).toBeDefined();
    }
    expect((await ask('/api/sized/long', 'br, gzip')).headers['content-encoding']).toBe('br');
  });

  it.each(['/api/sized/bytes', '/api/sized/file', '/api/sized/events'])('does not compress bytes, files and events: %s', async (path) => {
    const { headers, bytes } = await ask(path, 'br, gzip');
    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes.length).toBeGreaterThanOrEqual(BYTES.length);
  });

  it.each([DESCRIPTION, '/api/sized/short', '/api/v1/tenants', DEVICES])('answers HEAD for %s like GET, without the body', async (path) => {
    for (const accepted of ['br', undefined]) {
      const got = await headersOf(path, accepted);
      const { headers, bytes } = await ask(path, accepted, 'HEAD');
      expect(bytes).toHaveLength(0);
      for (const name of ['content-type', 'content-encoding', 'content-length', 'vary', 'cache-control']) {
        expect([name, headers[name]]).toEqual([name, got[name]]);
      }
    }
  });

  describe('of a list that is read page by page', () => {
    /** Lets lists read this many pages; `next` then provides each further one. */
    function watchPages(many: number, next: () => Promise<void>): { read: number; readonly restore: () => void } {
      const repository = server.app.get(DevicesRepository);
      const page = repository.page.bind(repository);
      const watch = { read: 0, restore: () => void Reflect.deleteProperty(repository, 'page') };
      repository.page = async (...parameters) => {
        if (watch.read >= many) await next();
        watch.read += 1;
        return page(...parameters);
      };
      return watch;
    }

    it.each([
      ['br', createBrotliDecompress],
      ['gzip', createGunzip],
    ])('sends each page at once as %s, before the next one is read', async (encoding, decompressor) => {
      let go = (): void => undefined;
      const held = new Promise<void>((resolve) => (go = resolve));
      const pages = watchPages(1, () => held);
      try {
        const received = await open(DEVICES, encoding);
        let text = '';
        for await (const piece of received.pipe(decompressor()) as AsyncIterable<Buffer>) {
          text += piece.toString();
          // The whole first page arrives while the second one is still being read.
          if (pages.read === 1 && text.endsWith('}')) go();
        }
        expect(JSON.parse(text)).toHaveLength(DEVICE_COUNT);
      } finally {
        go();
        pages.restore();
      }
    });

    it('cuts the connection when a page fails in the middle', async () => {
      const pages = watchPages(1, () => Promise.reject(new Error('The page cannot be read.')));
      try {
        const received = await open(DEVICES, 'br');
        expect(received.statusCode).toBe(200);
        await expect(received.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
      } finally {
        pages.restore();
      }
    });

    it('answers an uncompressed 500 when the first page fails', async () => {
      const pages = watchPages(0, () => Promise.reject(new Error('The page cannot be read.')));
      try {
        const { status, headers, bytes } = await ask(DEVICES, 'br');
        expect([status, headers['content-encoding']]).toEqual([500, undefined]);
        expect(JSON.parse(bytes.toString())).toMatchObject({ status: 500 });
      } finally {
        pages.restore();
      }
    });

    it('waits for a slow reader, and stops when it disconnects', async () => {
      const pages = watchPages(Number.POSITIVE_INFINITY, () => Promise.resolve());
      try {
        const sending = new Promise<ServerResponse>((resolve) => {
          server.app.getHttpServer().once('request', (_request: IncomingMessage, response: ServerResponse) => resolve(response));
        });
        const received = await open(DEVICES, 'gzip');
        const sent = await sending;
        const before = await settled('the number of pages', () => (sent.writableNeedDrain ? pages.read : Number.NaN));
        expect(before).toBeLessThan(DEVICE_COUNT / 160);
        const gone = once(sent, 'close');
        received.destroy();
        await gone;
        expect(await settled('the number of pages', () => pages.read)).toBe(before);
      } finally {
        pages.restore();
      }
    });
  });
});
