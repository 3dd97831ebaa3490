import { afterEach, describe, expect, it } from 'vitest';

import { createTenant, createUser } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/** More than a function call takes arguments. Nothing limits the number of a user's assignments. */
const ASSIGNMENTS = 130_000;

/** Number of entries about assignments, of links of the chain, and of those that do not follow on the link before them. */
const CHAIN = `
  SELECT (SELECT count(*)::integer FROM authorization_change_logs
          WHERE owning_tenant_id = $1 AND action_type = 'permission-assignment-deleted') AS deleted,
         count(*)::integer AS links, count(*) FILTER (WHERE previous_hash <> former)::integer AS loose
  FROM (SELECT previous_hash, lag(hash) OVER (ORDER BY position) AS former FROM change_log_links WHERE log_id = $1) l`;

describe('a user with more assignments than anyone needs', () => {
  const server = testServer();

  afterEach(() => server.dataSource.query('ALTER TABLE authorization_change_logs ENABLE TRIGGER change_log_indexed'));

  it('is deleted with all of them, each with its entry in the chain of the log', async () => {
    // The index of the log takes most of the time of an entry, and needs none for this.
    await server.dataSource.query('ALTER TABLE authorization_change_logs DISABLE TRIGGER change_log_indexed');
    const tenant = await createTenant(server);
    const user = await createUser(server, { tenantId: tenant.id });
    await server.dataSource.query(
      `INSERT INTO permission_assignments (id, principal_kind, principal_id, permission_name, effect, scope_kind, scope_id, owning_tenant_id)
         SELECT gen_random_uuid(), 'User', $1, 'device.read', 'Allow', 'Device', gen_random_uuid(), $2 FROM generate_series(1, $3::integer)`,
      [user.id, tenant.id, ASSIGNMENTS],
    );
    expect(await server.client().delete(`/api/v1/users/${user.id}?tenantId=${tenant.id}`)).toMatchObject({ status: 204, text: '' });
    expect(await server.dataSource.query(`SELECT FROM permission_assignments WHERE principal_id = $1 LIMIT 1`, [user.id])).toEqual([]);
    // The last one is of the user.
    expect(await server.dataSource.query(CHAIN, [tenant.id])).toEqual([{ deleted: ASSIGNMENTS, links: ASSIGNMENTS + 1, loose: 0 }]);
  });
});
