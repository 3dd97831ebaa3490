import { randomUUID } from 'node:crypto';

import { expect, it } from 'vitest';

import { verifyChains } from '../../../src/access/change-logs/chain/verify-chains.js';
import { DatabaseConnection } from '../../../src/platform/database/connection/database-connection.js';
import { testServer } from '../../support/setup/test-server.js';

const SERVER_LOG = '00000000-0000-0000-0000-000000000000';
const INSERT = `
  INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, target_id, after_json)
  VALUES ($1, 'tenant-log-closed', 'system', 'Tenant', gen_random_uuid(), $2)`;

const server = testServer();

it.each(['no JSON', '[', 'null', '"text"', '{"position":1,"hash":"x"}'])(
  'the verification of the change log goes on after an entry that should have a head and has %s',
  async (after) => {
    await server.dataSource.transaction(async (manager) => {
      // As the service writes an entry, so that it is chained.
      await manager.query(`SELECT set_config('change_log.announced', $1, true)`, [SERVER_LOG]);
      await manager.query(INSERT, [randomUUID(), after]);
    });
    const secret = randomUUID();
    await server.dataSource.query(INSERT, [secret, '{}']);
    const { config: database } = server.app.get(DatabaseConnection);
    const { findings } = await verifyChains({ database, logId: null, heads: [], signal: new AbortController().signal });
    expect(findings).toMatchObject([{ kind: 'inserted', entryId: secret }]);
    await server.dataSource.query('DELETE FROM authorization_change_logs WHERE id = $1', [secret]);
  },
);
