import { describe, expect, it } from 'vitest';

import { DevicePresence } from '../../../devices/device-link/device-presence.js';
import type { ReportsDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import type { ServerNode } from '../../../platform/node/server-node.js';
import type { ServiceLine } from '../service-line.js';
import { DeviceDirectory } from './device-directory.js';

const MOVED = { id: 'device', formerConnectionId: 'node.1' };

/** A directory whose rows a test gives, and the presence of its node with one device. */
function directoryOf(read: () => Promise<readonly object[]>): { readonly directory: DeviceDirectory; readonly presence: DevicePresence } {
  const presence = new DevicePresence();
  presence.online('device', 'node.1', 'key');
  const dataSource = { manager: { queryRunner: { query: async () => ({ records: await read() }) } } };
  const directory = new DeviceDirectory(
    dataSource as unknown as ReportsDataSource,
    { id: 'node' } as unknown as ServerNode,
    {} as unknown as ServiceLine,
    presence,
  );
  return { directory, presence };
}

describe('a device that reports to two nodes in turn', () => {
  it('is left to the other node that has its last report', async () => {
    const { directory, presence } = directoryOf(() => Promise.resolve([MOVED]));
    await directory.leaveIfMoved('device', 'node.1');
    expect(presence.connectionOf('device')).toBeUndefined();
  });

  it('stays if it reports here while the rows are read, in which it is at the other node', async () => {
    const { directory, presence } = directoryOf(() => {
      presence.online('device', 'node.1', 'key');
      return Promise.resolve([MOVED]);
    });
    await directory.leaveIfMoved('device', 'node.1');
    expect(await directory.elsewhere(['device'])).toEqual([]);
    expect(presence.connectionOf('device')).toBe('node.1');
  });
});
