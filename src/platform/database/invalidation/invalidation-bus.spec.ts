import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import { eventually } from '../../../../test/support/eventually.js';
import { ProcessExit } from '../../common/runtime/process-exit.js';
import { DatabaseConnection } from '../connection/database-connection.js';
import { ServiceLock } from '../locks/service-lock.js';
import { InvalidationBus } from './invalidation-bus.js';
import { listeningClient, type FirstListeningConnection } from './listening-connection.js';

let warnings: unknown[];

beforeEach(() => {
  warnings = [];
  vi.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => {
    warnings.push(message);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('the invalidation bus logs the loss of its connection once, however often it tries to reconnect', async () => {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  class Unreachable extends DatabaseConnection {
    readonly config = { host: '127.0.0.1', port, user: 'nobody', password: '', database: 'none' };
    readonly description = 'a server that takes no connections';
  }
  const connection = new Unreachable();
  const first = { client: listeningClient(connection) } as FirstListeningConnection;
  const bus = new InvalidationBus(connection, first, new ServiceLock({ nodes: { nats: [] } }), new ProcessExit());
  try {
    await bus.onApplicationBootstrap();
    await eventually('it has tried again', () => attempts >= 3);
    expect(warnings).toEqual([
      expect.stringMatching(/^Lost the database connection for cache invalidation; nothing is cached until it is back\. ./),
    ]);
  } finally {
    bus.beforeApplicationShutdown();
    await bus.onApplicationShutdown();
    server.close();
  }
});
