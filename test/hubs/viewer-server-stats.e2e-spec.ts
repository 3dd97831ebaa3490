import { describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';

import type { Encoding } from '#libs/contracts';

import { Permission } from '../../src/authorization/permission.js';
import { ServerStatsFeed } from '../../src/hubs/viewer/server-stats-feed.js';
import type { ServerStatsDto } from '../../src/server/server-stats.dto.js';
import { ROOT_KEY } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { at, createTenant } from '../support/factories.js';
import { testServer, testTenant } from '../support/test-server.js';
import { callerWith, TestViewer } from './viewer-client.js';

describe('the figures of the server', () => {
  const server = testServer();
  const tenant = testTenant(server);

  async function view(headers: Record<string, string>, encoding?: Encoding): Promise<TestViewer> {
    return server.alsoStop(await TestViewer.connect(server, headers, encoding));
  }

  async function stats(): Promise<ServerStatsDto> {
    return (await server.client().get('/api/v1/server-stats')).as<ServerStatsDto>();
  }

  /** Pushes, then waits for the answer to a call of the viewer, which arrives after everything that was pushed. */
  async function push(...readers: readonly TestViewer[]): Promise<void> {
    await server.app.get(ServerStatsFeed, { strict: false }).push();
    for (const { connection } of readers) await connection.invoke('UnsubscribeFromDeviceHeartbeats', []);
  }

  it.each<Encoding>(['json', 'messagepack'])(
    'are pushed to a viewer that may read them, and again when a figure changes: %s',
    async (encoding) => {
      const reader = await view({ 'x-api-key': ROOT_KEY }, encoding);
      const other = await view((await callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant))).headers, encoding);
      // The service pushes by its own timer.
      await eventually('the first figures', () => reader.stats.length > 0);

      await createTenant(server);
      await eventually('the figures of now', async () => {
        await push(reader, other);
        return isDeepStrictEqual(reader.stats.at(-1), await stats());
      });
      const told = reader.stats.length;
      for (let turn = 0; turn < 3; turn++) await push(reader, other);
      expect(reader.stats).toHaveLength(told);
      expect(other.stats).toEqual([]);
    },
  );
});
