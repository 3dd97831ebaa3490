import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { HttpAdapterHost } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RequestDrain } from './request-drain.js';

describe('the end of a server', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const servers: Server[] = [];
  let drain: RequestDrain;

  beforeEach(async () => {
    for (let count = 0; count < 2; count += 1) {
      const server = createServer((_request, response) => response.end('here'));
      servers.push(server);
      await once(server.listen(0, '127.0.0.1'), 'listening');
    }
    const [first, second] = servers;
    drain = new RequestDrain({ httpAdapter: { getHttpServer: () => first } } as unknown as HttpAdapterHost);
    drain.add(second);
  });

  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  async function ask(server: Server): Promise<string | undefined> {
    const request = get({ agent, host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.headers.connection;
  }

  it('is announced on kept connections, which clients then close', async () => {
    for (const server of servers) expect(await ask(server)).toBe('keep-alive');
    drain.announce();
    for (const server of servers) expect(await ask(server)).toBe('close');
  });
});
