import { expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { MembershipsResponseDto, UserMembershipsResponseDto } from '../../../src/people/user-groups/membership.dto.js';
import { accountWith } from '../../support/callers/callers.js';
import { addToUserGroup, at, createUser, createUserGroup } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const server = testServer();
const tenant = testTenant(server);
const other = testTenant(server);

it('lists the users of the tenant with the number and the first names of their groups, and all groups of one', async () => {
  const client = await accountWith(server, tenant, [Permission.TenantUserGroupsRead, at.tenant(tenant)]);
  const [anna, bert, alone] = [
    await createUser(server, { tenantId: tenant.id }),
    await createUser(server, { tenantId: tenant.id }),
    await createUser(server, { tenantId: tenant.id }),
  ];
  for (const name of ['delta', 'Alpha', 'charlie', 'Bravo']) {
    const group = await createUserGroup(server, { tenantId: tenant.id, name });
    await addToUserGroup(server, group, anna);
    if (name === 'delta') await addToUserGroup(server, group, bert);
  }
  const stranger = await createUser(server, { tenantId: other.id });
  await addToUserGroup(server, await createUserGroup(server, { tenantId: other.id }), stranger);

  const { items } = (await client.get('/account/memberships')).as<MembershipsResponseDto>();
  expect(new Map(items.map(({ userId, ...row }) => [userId, row]))).toEqual(
    new Map([
      [anna.id, { groupCount: 4, groupNames: ['Alpha', 'Bravo', 'charlie'] }],
      [bert.id, { groupCount: 1, groupNames: ['delta'] }],
    ]),
  );
  const ofAnna = (await client.get(`/account/memberships/${anna.id}`)).as<UserMembershipsResponseDto>();
  expect(ofAnna.items.map(({ name }) => name)).toEqual(['Alpha', 'Bravo', 'charlie', 'delta']);
  expect((await client.get(`/account/memberships/${alone.id}`)).as<UserMembershipsResponseDto>().items).toEqual([]);
  expect((await client.get(`/account/memberships/${stranger.id}`)).status).toBe(404);
});
