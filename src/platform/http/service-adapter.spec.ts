import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Express } from 'express';

import { ServiceAdapter } from './service-adapter.js';

describe('ServiceAdapter', () => {
  it('makes requests and responses that have the prototypes of Express before it sees them', async () => {
    const adapter = new ServiceAdapter();
    adapter.initHttpServer();
    const express: Express = adapter.getInstance();
    express.get('/', (request, response) => void response.status(201).json({ path: request.path, isOfApp: request.app === express }));
    const server: Server = adapter.getHttpServer();
    const prototypes: unknown[] = [];
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?a=b`);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ path: '/', isOfApp: true });
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    expect(prototypes).toHaveLength(2);
    expect(prototypes[0]).toBe(express.request);
    expect(prototypes[1]).toBe(express.response);
  });
});
