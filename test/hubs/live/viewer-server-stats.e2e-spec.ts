import { describe, expect, it } from 'vitest';
import { isDeepStrictEqual } from 'node:util';

import type { Encoding } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { ServerStatsFeed } from '../../../src/live/hubs/viewer/monitoring/server-stats-feed.js';
import type { ServerStatsDto } from '../../../src/system/server/server-stats.dto.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { eventually } from '../../support/eventually.js';
import { at, createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';

describe('the figures of the server', () => {
  const server = testServer();
  const tenant = testTenant(server);

  async function view(headers: Record<string, string>, encoding: Encoding): Promise<TestViewer> {
    return server.alsoStop(await TestViewer.connect(server, headers, encoding));
  }

  async function stats(): Promise<ServerStatsDto> {
    return (await server.client().get('/api/v1/server-stats')).as<ServerStatsDto>();
  }

  /** Pushes, then waits for the answers to calls of the viewers, which arrive after everything that was pushed. */
  async function push(...readers: readonly TestViewer[]): Promise<void> {
    await server.app.get(ServerStatsFeed, { strict: false }).push();
    for (const { connection } of readers) await connection.invoke('UnsubscribeFromDeviceHeartbeats', []);
  }

  it('are pushed to each viewer that may read them, and again when a figure changes', async () => {
    const encodings = ['json', 'messagepack'] as const;
    const { headers } = await callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant));
    const readers = await Promise.all(encodings.map((encoding) => view({ 'x-api-key': ROOT_KEY }, encoding)));
    const others = await Promise.all(encodings.map((encoding) => view(headers, encoding)));
    // The service pushes by its own timer.
    await eventually('the first figures', () => readers.every((reader) => reader.stats.length > 0));

    await createTenant(server);
    await eventually('the current figures', async () => {
      await push(...readers, ...others);
      const current = await stats();
      return readers.every((reader) => isDeepStrictEqual(reader.stats.at(-1), current));
    });
    const told = readers.map((reader) => reader.stats.length);
    for (let turn = 0; turn < 3; turn++) await push(...readers, ...others);
    expect(readers.map((reader) => reader.stats.length)).toEqual(told);
    expect(others.map((other) => other.stats)).toEqual([[], []]);
  });
});
