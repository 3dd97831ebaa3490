import { beforeEach, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { UserPresence } from '../../../src/people/users/user-presence.js';
import { User } from '../../../src/people/users/user.entity.js';
import type { ServerStatsDto } from '../../../src/system/server/server-stats.dto.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { TestApp } from '../../support/application/app.js';
import { eventually } from '../../support/eventually.js';
import { at, createPersonalAccessToken, createTenant, createUser } from '../../support/fixtures/factories.js';
import { stopAfterEach } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';

describe('users of the viewer hub', () => {
  let server: TestApp;
  let tenant: Tenant;
  const keep = stopAfterEach();

  beforeEach(async () => {
    server = keep(await TestApp.start());
    tenant = await createTenant(server);
  });

  async function view(headers: Record<string, string>): Promise<TestViewer> {
    return keep(await TestViewer.connect(server, headers));
  }

  async function person(): Promise<{ readonly user: User; readonly headers: Record<string, string> }> {
    const user = await createUser(server, { tenantId: tenant.id });
    const { key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
    return { user, headers: { 'x-personal-token': key } };
  }

  async function online(): Promise<number> {
    return (await server.client().get('/api/v1/server-stats')).as<ServerStatsDto>().onlineUsers;
  }

  const becomes = (count: number): Promise<void> => eventually(`${count} users are online`, async () => (await online()) === count);

  it('are online while at least one of their connections is open', async () => {
    const [ann, bob] = [await person(), await person()];
    const [first, second] = [await view(ann.headers), await view(ann.headers)];
    const others = await view(bob.headers);
    // Service accounts are not users.
    await view((await callerWith(server, tenant, [Permission.DeviceRead], at.tenant(tenant))).headers);
    await becomes(2);
    await first.stop();
    await others.stop();
    await becomes(1);
    await second.stop();
    await becomes(0);
  });

  it('have their last sign-in set when they connect', async () => {
    const { user, headers } = await person();
    const before = server.clock.now();
    await view(headers);
    await becomes(1);
    const stored = await server.dataSource.manager.findOneByOrFail(User, { id: user.id });
    expect(stored.lastLogin?.getTime()).toBeGreaterThanOrEqual(before.getTime());
  });

  it('are offline when they are deleted and when the node starts or stops', async () => {
    const [gone, left] = [await person(), await person()];
    await view(gone.headers);
    await view(left.headers);
    await becomes(2);
    const presence = server.app.get(UserPresence, { strict: false });
    await presence.onModuleInit();
    expect(await online()).toBe(0);
    await view(left.headers);
    await becomes(2);
    // Last: the connection of a user who was deleted ends a moment later, which writes the others again.
    await server.dataSource.manager.delete(User, { id: gone.user.id });
    await becomes(1);
    await presence.beforeApplicationShutdown();
    expect(await online()).toBe(0);
  });

  it('are online as soon as the database works again', async () => {
    await server.dataSource.query('ALTER TABLE user_presences RENAME TO hidden');
    const { user, headers } = await person();
    const viewer = await view(headers);
    await server.dataSource.query('ALTER TABLE hidden RENAME TO user_presences');
    await becomes(1);
    await eventually(
      'the sign-in is written',
      async () => (await server.dataSource.manager.findOneByOrFail(User, { id: user.id })).lastLogin !== null,
    );
    await viewer.stop();
    await becomes(0);
  });
});
