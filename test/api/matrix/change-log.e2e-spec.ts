import { beforeAll, describe, expect, it } from '@jest/globals';

import type { DeclaredRoute } from '../../../src/authorization/access-declarations.js';
import { AuthorizationChangeLog } from '../../../src/authorization/change-log.entity.js';
import { permissionCatalog } from '../../../src/authorization/permission.js';
import { newGuid } from '../../../src/common/guid.js';
import type { ApiAnswer } from '../../support/api-client.js';
import { addToUserGroup, createDevice } from '../../support/factories.js';
import { testServer, testTenant } from '../../support/test-server.js';
import { broadRights, createCaller, giveRights, type Caller } from './callers.js';
import { callOf, keyOf, MATRIX_SETTINGS, requestOf, routesOf } from './calling.js';
import { everythingStored } from './everything-stored.js';
import { Scene } from './scene.js';
import type { MakeCall } from './valid-calls.js';

/*
 * Every route that can change something: what it writes down, by whom and without secrets. The caller holds every
 * permission, and each call carries a trace id, by which its entries are found.
 */

const V1 = '/api/v1';

/** Rows that grant nothing and belong to their owner alone: the change log leaves them out. */
const PRIVATE = ['user_preferences', 'user_storage_items'];

/** The kinds of entries that a route writes. A route that is missing here, or stores something without an entry, fails. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  ...named('customers', 'customerId', 'customer'),
  'POST /customers/:customerId/devices': ['customer-devices-assigned'],
  ...named('device-groups', 'deviceGroupId', 'device-group'),
  'POST /device-groups/:deviceGroupId/members': ['device-group-members-added'],
  'DELETE /device-groups/:deviceGroupId/members': ['device-group-members-removed'],
  'POST /device-tags': ['device-tag-added'],
  'DELETE /device-tags/:deviceId/:tagId': ['device-tag-removed'],
  'PATCH /devices/:deviceId/alias': ['device-alias-updated'],
  'DELETE /devices/:deviceId': ['device-deleted'],
  'POST /devices/delete-many': ['device-deleted'],
  'POST /installer-keys': ['installer-key-created'],
  'PUT /installer-keys/:keyId': ['installer-key-updated'],
  'DELETE /installer-keys/:keyId': ['installer-key-deleted'],
  'POST /invites': ['invite-created', 'permission-assignments-seeded', 'user-created'],
  'DELETE /invites/:inviteId': ['invite-deleted', 'user-deleted'],
  'POST /logon-tokens/user': ['logon-token-created', 'permission-assignment-created'],
  'POST /logon-tokens/external': ['logon-token-created', 'permission-assignment-created', 'user-created'],
  'POST /permission-assignments': ['permission-assignment-created'],
  'POST /permission-assignments/batch': ['permission-assignment-created'],
  'POST /permission-assignments/batch-delete': ['permission-assignment-deleted'],
  'POST /permission-assignments/presets/apply': ['permission-assignment-created'],
  'POST /permission-assignments/replace': ['permission-assignment-created'],
  'PUT /permission-assignments/:assignmentId': ['permission-assignment-updated'],
  'DELETE /permission-assignments/:assignmentId': ['permission-assignment-deleted'],
  'POST /personal-access-tokens': ['personal-access-token-created'],
  'PUT /personal-access-tokens/:id': ['personal-access-token-updated'],
  'DELETE /personal-access-tokens/:id': ['personal-access-token-deleted'],
  'POST /server-alert': ['server-alert-updated'],
  ...serviceAccounts('server-service-accounts'),
  'POST /tags': ['tag-created'],
  'PUT /tags/:tagId': ['tag-renamed'],
  'DELETE /tags/:tagId': ['tag-deleted'],
  ...serviceAccounts('tenant-service-accounts/:tenantId'),
  'POST /tenant-settings': ['tenant-setting-created'],
  'PUT /tenant-settings': ['tenant-setting-updated'],
  'DELETE /tenant-settings/:settingName': ['tenant-setting-deleted'],
  'POST /tenants': ['tenant-created'],
  'PUT /tenants/:tenantId': ['tenant-updated'],
  'DELETE /tenants/:tenantId': ['tenant-deleted'],
  ...named('user-groups', 'userGroupId', 'user-group'),
  'POST /user-groups/:userGroupId/members': ['user-group-members-added'],
  'DELETE /user-groups/:userGroupId/members': ['user-group-members-removed'],
  'POST /users': ['permission-assignments-seeded', 'user-created'],
  'DELETE /users/:userId': ['user-deleted'],
  'POST /users/:userId/reset-password': ['user-password-reset'],
  'POST /users/:userId/personal-access-tokens': ['personal-access-token-created'],
  'PUT /users/:userId/personal-access-tokens/:tokenId': ['personal-access-token-updated'],
  'DELETE /users/:userId/personal-access-tokens/:tokenId': ['personal-access-token-deleted'],
};

/** Routes that take a body or delete something elsewhere, and store nothing that the log tells of. */
const STORE_NOTHING = [
  'POST /deployment-options/tag-capability',
  'POST /devices/search',
  'POST /test-email',
  'POST /user-preferences',
  'PUT /user-preferences',
  'POST /user-storage',
  'DELETE /user-storage/:key',
];

/** Calls that change something where the valid one would find it so already. */
const CHANGING: Readonly<Record<string, MakeCall>> = {
  'DELETE /device-groups/:deviceGroupId/members': async (scene) => {
    const group = await scene.deviceGroup();
    const device = await createDevice(server, { tenantId: scene.tenant.id, groups: [group] });
    return { status: 204, path: { deviceGroupId: group.id }, body: { deviceIds: [device.id] } };
  },
  'DELETE /user-groups/:userGroupId/members': async (scene) => {
    const [group, user] = [await scene.userGroup(), await scene.user()];
    await addToUserGroup(server, group, user);
    return { status: 204, path: { userGroupId: group.id }, body: { userIds: [user.id] } };
  },
  'PUT /tenant-settings': async (scene) => {
    await setTenantSetting(scene);
    return { status: 200, body: { appendInstanceId: null, instanceId: 'another', notifyUserOnSessionStart: true } };
  },
  'DELETE /tenant-settings/:settingName': async (scene) => {
    await setTenantSetting(scene);
    return { status: 204, path: { settingName: 'instance-id' } };
  },
};

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
let caller: Caller;
let routes: readonly DeclaredRoute[];

beforeAll(async () => {
  caller = await createCaller(server, home, 'user');
  await giveRights(server, broadRights(caller, permissionCatalog, home));
  routes = routesOf(server).filter(
    ({ method, path }) => method !== 'GET' && path.startsWith(V1) && !path.startsWith(`${V1}/device-file-system`),
  );
});

function named(base: string, segment: string, what: string): Record<string, readonly string[]> {
  return {
    [`POST /${base}`]: [`${what}-created`],
    [`PUT /${base}/:${segment}`]: [`${what}-updated`],
    [`DELETE /${base}/:${segment}`]: [`${what}-deleted`],
  };
}

function serviceAccounts(base: string): Record<string, readonly string[]> {
  return {
    ...named(base, 'serviceAccountId', 'service-account'),
    [`POST /${base}/:serviceAccountId/credentials`]: ['service-account-credential-created'],
    [`DELETE /${base}/:serviceAccountId/credentials/:credentialId`]: ['service-account-credential-revoked'],
    [`DELETE /${base}/:serviceAccountId/credentials/:credentialId/purge`]: ['service-account-credential-deleted'],
  };
}

async function setTenantSetting({ tenant }: Scene): Promise<void> {
  const body = { name: 'instance-id', value: 'one' };
  (await server.client().post(`${V1}/tenant-settings`, { query: { tenantId: tenant.id }, body })).as();
}

const shortKeyOf = (route: DeclaredRoute): string => keyOf(route).replace(V1, '');

/** The tables that the log speaks for, and the log itself. */
async function stored(): Promise<Readonly<Record<string, string>>> {
  const everything = await everythingStored(server);
  return Object.fromEntries(Object.entries(everything).filter(([name]) => name !== 'files' && !PRIVATE.includes(name)));
}

/** Every text of an answer that is as long as secrets are: nothing else may be shown this once only. */
function secretsIn({ text }: ApiAnswer): string[] {
  return [...text.matchAll(/[\w-]{80,}|(?<="temporaryPassword":")[^"]+/g)].map(([secret]) => secret);
}

describe('the change log', () => {
  it('knows every route that can change something', () => {
    expect(routes.map(shortKeyOf).sort()).toEqual([...Object.keys(ACTIONS), ...STORE_NOTHING].sort());
  });

  it('has what each of them did, by whom and from where, and no secret', async () => {
    const found: Record<string, readonly string[]> = {};
    const leaks: string[] = [];
    let secrets = 0;
    for (const route of routes) {
      const key = shortKeyOf(route);
      const scene = new Scene(server, home, caller.owner);
      const call = await (CHANGING[key]?.(scene) ?? callOf(route, scene));
      const { path, ...request } = requestOf(route, call, home.id);
      const traceId = newGuid().replaceAll('-', '');
      const before = await stored();
      const answer = await caller.client.call(route.method, path, {
        ...request,
        headers: { ...request.headers, traceparent: `00-${traceId}-${traceId.slice(16)}-01` },
      });
      expect(`${key} ${answer.status}`).toBe(`${key} ${call.status}`);
      const after = await stored();
      const entries = await server.dataSource.manager.findBy(AuthorizationChangeLog, { correlationId: traceId });
      const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
      if (changed.length > 0) found[key] = [...new Set(entries.map(({ actionType }) => actionType))].sort();
      for (const entry of entries) {
        // What everybody is given comes from the service itself.
        const actor = entry.actionType === 'permission-assignments-seeded' ? ['system', null] : ['user', caller.owner.id];
        expect([entry.actorPrincipalType, entry.actorPrincipalId]).toEqual(actor);
        expect(entry.ipAddress).toBe('127.0.0.1');
        expect(entry.beforeJson ?? entry.afterJson).not.toBeNull();
        if (!route.path.includes('server-') && !route.path.startsWith(`${V1}/tenants`)) expect(entry.owningTenantId).toBe(home.id);
      }
      const log = entries.map(({ beforeJson, afterJson }) => `${beforeJson} ${afterJson}`).join();
      for (const secret of secretsIn(answer)) {
        secrets += 1;
        if (log.includes(secret)) leaks.push(`${key}: ${log}`);
      }
      if (/hash|secret|activation/i.test(log)) leaks.push(`${key}: ${log}`);
    }
    expect(found).toEqual(ACTIONS);
    expect(leaks).toEqual([]);
    // Keys, tokens, links and a password were shown: what was looked for was there.
    expect(secrets).toBeGreaterThan(8);
  });
});
