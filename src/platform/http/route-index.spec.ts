import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import express, { type Express } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { indexRoutes, type IndexedRouter } from './route-index.js';

/** An application whose answers tell which route was taken and which middleware ran. */
function application(): Express {
  const app = express();
  app.use((request, _response, next) => {
    request.headers['x-passed'] = 'first';
    next();
  });
  const routes = [
    '/',
    '/health',
    '/api/v1/devices',
    '/api/v1/devices/:id',
    '/api/v1/tags/:id/members',
    '/api/tags/:id',
    '/api/tags/all',
    '/api/:version/anything',
    '/files/*path',
  ];
  for (const path of routes) {
    app.get(path, (request, response) => void response.send(`${path} ${request.headers['x-passed'] as string}`));
  }
  app.use((_request, response) => void response.status(404).send('nothing'));
  return app;
}

describe('route index', () => {
  let plain: Server;
  let indexed: Server;

  beforeAll(async () => {
    const app = application();
    indexRoutes(app.router as unknown as IndexedRouter);
    plain = application().listen(0, '127.0.0.1');
    indexed = app.listen(0, '127.0.0.1');
    await Promise.all([plain, indexed].map(async (server) => (server.listening ? undefined : once(server, 'listening'))));
  });

  afterAll(async () => {
    await Promise.all(
      [plain, indexed].map((server) => {
        server.close();
        return once(server, 'close');
      }),
    );
  });

  it.each([
    ['/', '/ first'],
    ['/health', '/health first'],
    ['/health/', '/health first'],
    ['/HEALTH?verbose', '/health first'],
    ['/api/v1/devices', '/api/v1/devices first'],
    ['/API/v1/Devices/', '/api/v1/devices first'],
    ['/api/v1/devices?name=/a/b/c/d', '/api/v1/devices first'],
    ['/api/v1/devices/7', '/api/v1/devices/:id first'],
    ['/api/v1/tags/7/members', '/api/v1/tags/:id/members first'],
    ['/api/v1/tags/7', 'nothing'],
    ['/api/tags/7', '/api/tags/:id first'],
    ['/API/tags/7/', '/api/tags/:id first'],
    ['/api/tags/all', '/api/tags/:id first'],
    ['/api/tags/anything', '/api/tags/:id first'],
    ['/api/tags', 'nothing'],
    ['/api/v9/anything', '/api/:version/anything first'],
    ['/files/a/b/c/d', '/files/*path first'],
    ['http://example.org/api/v1/devices/7', '/api/v1/devices/:id first'],
    ['//health', 'nothing'],
    ['/unknown', 'nothing'],
  ])('leads %s to %s, with the index as without', async (target, expected) => {
    expect(await bodyOf(plain, target)).toBe(expected);
    expect(await bodyOf(indexed, target)).toBe(expected);
  });

  it('finds a route that was added after the first request', async () => {
    const late = express();
    late.get('/early', (_request, response) => void response.send('early'));
    indexRoutes(late.router as unknown as IndexedRouter);
    const server = late.listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await bodyOf(server, '/late')).not.toBe('late');
    late.get('/late', (_request, response) => void response.send('late'));
    expect(await bodyOf(server, '/late')).toBe('late');
    server.close();
    await once(server, 'close');
  });
});

/** Requests exactly this target, which HTTP clients would normalize, and returns the body of the answer. */
async function bodyOf(server: Server, target: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}
