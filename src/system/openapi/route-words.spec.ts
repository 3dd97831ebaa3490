import { describe, expect, it } from 'vitest';

import { on, type Access, type AccessTarget, type TenantSource } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { routeWords } from './route-words.js';

const IN_QUERY: TenantSource = { carrier: 'query', field: 'tenantId', isObject: false };
const OF_CALLER: TenantSource = { carrier: 'claim', isObject: false };
const AUTHENTICATED: Access = { kind: 'Authenticated' };

function permitted(target: AccessTarget): Access {
  return { kind: 'Permission', permission: Permission.TenantTagsWrite, target, orServer: null };
}

describe('the words of a route', () => {
  it.each<[string, Access]>([
    ['none. No credential is needed, and one that is sent is ignored.', { kind: 'Anonymous' }],
    ['none. Every caller that authenticates may use it.', AUTHENTICATED],
    ['`tenant.tags.write` on the server.', permitted(on.server)],
    ['`tenant.tags.write` on the tenant that the request names.', permitted(on.tenant)],
    ['`tenant.tags.write` on the device that `deviceId` names.', permitted(on.deviceInBody('deviceId'))],
    ['`tenant.tags.write` on the device group that `groupId` names.', permitted(on.deviceGroup('groupId'))],
    ['`tenant.tags.write` on the user group that `groupId` names.', permitted(on.userGroup('groupId'))],
    [
      '`tenant.tags.write`, decided device by device. Devices on which the caller does not hold it do not exist for the call; a caller that holds it on no device is not refused.',
      permitted(on.deviceScope),
    ],
    [
      '`tenant.tags.write` on the tenant that the request names. Instead, `server.tenants.read` on the server suffices; it holds in every tenant, also those of others.',
      { kind: 'Permission', permission: Permission.TenantTagsWrite, target: on.tenant, orServer: Permission.ServerTenantsRead },
    ],
  ])('say of the permission: %s', (words, access) => {
    expect(routeWords({ access, tenant: null, cache: null, proofDuty: null, replacement: null })).toEqual([`**Permission:** ${words}`]);
  });

  it.each<[string, TenantSource, Access]>([
    [
      '`tenantId` in the query. Users and tenant service accounts can name their own tenant only, server service accounts any.',
      IN_QUERY,
      AUTHENTICATED,
    ],
    ['`tenantId` in the query.', IN_QUERY, { kind: 'Anonymous' }],
    [
      'any. The permission on the server decides, whatever tenant the caller belongs to.',
      { carrier: 'path', field: 'tenantId', isObject: true },
      permitted(on.server),
    ],
    ["the caller's own. Server service accounts have none, and are refused.", OF_CALLER, permitted(on.tenant)],
  ])('say of the tenant: %s', (words, tenant, access) => {
    expect(routeWords({ access, tenant, cache: null, proofDuty: null, replacement: null })[1]).toBe(`**Tenant:** ${words}`);
  });

  it("name the caller's tenant for a permission in it", () => {
    const words = routeWords({ access: permitted(on.tenant), tenant: OF_CALLER, cache: null, proofDuty: null, replacement: null });
    expect(words[0]).toBe("**Permission:** `tenant.tags.write` on the caller's tenant.");
  });

  it('name the route to use instead of a deprecated one, first', () => {
    const words = routeWords({ access: AUTHENTICATED, tenant: null, cache: null, proofDuty: null, replacement: 'PUT /api/v1/tags/{tagId}' });
    expect(words[0]).toBe('**Deprecated:** use `PUT /api/v1/tags/{tagId}` instead.');
  });

  it('give the greatest age of an answer', () => {
    const cache = { seconds: 5, private: true };
    expect(routeWords({ access: AUTHENTICATED, tenant: null, cache, proofDuty: null, replacement: null })[1]).toBe(
      '**Caching:** the answer may be up to 5 s old, and may be kept as long (`Cache-Control: private, max-age=5`).',
    );
  });
});
