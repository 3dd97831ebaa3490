import { beforeAll, describe, expect, it } from 'vitest';

import { Device } from '../../../src/devices/devices/device.entity.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { testAgents } from '../test-agents.js';

/** PostgreSQL counts the statements that write details, whether these differ or not. */
const COUNT_WRITES = [
  'CREATE TABLE writes_of_details (device_id uuid NOT NULL)',
  `CREATE FUNCTION count_write_of_details() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO writes_of_details VALUES (NEW.id);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER write_of_details AFTER UPDATE OF os_description ON devices FOR EACH ROW EXECUTE FUNCTION count_write_of_details()`,
];

describe('the details of a device', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const { newDevice, connected, online } = testAgents(server, tenant);

  beforeAll(async () => {
    for (const statement of COUNT_WRITES) await server.dataSource.query(statement);
  });

  async function writesOf(id: string): Promise<number> {
    const [{ count }] = await server.dataSource.query<[{ count: number }]>(
      'SELECT count(*)::int AS count FROM writes_of_details WHERE device_id = $1',
      [id],
    );
    return count;
  }

  const stored = (id: string): Promise<Device> => server.dataSource.manager.findOneByOrFail(Device, { id });

  it('are written by the first report, and not by an equal one through another connection', async () => {
    const device = await newDevice();
    await online(device);
    expect(await writesOf(device.id)).toBe(1);
    expect((await (await connected(device)).heartbeat()).isSuccess).toBe(true);
    expect(await writesOf(device.id)).toBe(1);
  });

  it('are written by a report through another connection when one of them differs', async () => {
    const device = await newDevice();
    await online(device);
    const { value } = await (await connected(device)).heartbeat({ processorCount: 64 });
    expect(value).toMatchObject({ processorCount: 64 });
    expect(await stored(device.id)).toMatchObject({ processorCount: 64 });
    expect(await writesOf(device.id)).toBe(2);
  });

  // A process of an earlier release, beside which this one runs during an upgrade, writes no digest.
  it('are written by an equal report after something else has changed one of them', async () => {
    const device = await newDevice();
    await online(device);
    const { processorCount } = await stored(device.id);
    await server.dataSource.query(`UPDATE devices SET processor_count = processor_count + 1, last_seen = now() WHERE id = $1`, [device.id]);
    expect(await stored(device.id)).toMatchObject({ detailsDigest: '' });
    expect((await (await connected(device)).heartbeat()).value).toMatchObject({ processorCount });
    const after = await stored(device.id);
    expect(after.processorCount).toBe(processorCount);
    expect(after.detailsDigest).not.toBe('');
  });

  it('of an incomplete report leave the others as they are, are not written again, and are completed by a complete one', async () => {
    const device = await newDevice();
    await online(device);
    const partial = { osDescription: 'Debian GNU/Linux 13', currentUsers: null, drives: null };
    await (await connected(device)).heartbeat(partial);
    const before = await stored(device.id);
    expect(before).toMatchObject({ osDescription: 'Debian GNU/Linux 13', currentUsers: ['operator'] });
    expect(await writesOf(device.id)).toBe(2);

    const { value } = await (await connected(device)).heartbeat(partial);
    expect(value).toMatchObject({ osDescription: 'Debian GNU/Linux 13', currentUsers: ['operator'] });
    expect(await writesOf(device.id)).toBe(2);

    await (await connected(device)).heartbeat({ currentUsers: ['guest'] });
    expect(await stored(device.id)).toMatchObject({ osDescription: 'Debian GNU/Linux 12', currentUsers: ['guest'], drives: before.drives });
    expect(await writesOf(device.id)).toBe(3);
  });
});
