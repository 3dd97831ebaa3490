import { describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import { permissionCatalog } from '../../../src/access/authorization/permissions/permission.js';
import { isGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene } from '../../routes/scene.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights, isOfServer } from '../matrix/callers.js';
import { callOf, complaints, keyOf, MATRIX_SETTINGS, routesOf, send } from '../matrix/calling.js';

/*
 * A Restricted service account of the server holds everything in one tenant and calls every GET route for another one, with ids of
 * things that exist there. It may name any tenant, so that only its assignments keep it out. It has to learn nothing: routes of a
 * tenant refuse it, and what lists or searches across tenants leaves out the other one. In its own tenant the same calls succeed.
 */

const server = testServer(MATRIX_SETTINGS);
const own = testTenant(server);
const other = testTenant(server);

/** Every id in a call. */
function idsIn(value: unknown): string[] {
  if (isGuid(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : [];
}

/** The internal routes that take the tenant of their caller are closed to server accounts (test/api/matrix/internal-access). */
const isRead = ({ method, access, tenant }: DeclaredRoute): boolean =>
  method === 'GET' && access.kind !== 'Anonymous' && tenant?.carrier !== 'claim';

/** Returns true if a call is about the tenant as a whole or something in it, and not about the server. */
function isOfTenant({ tenant, access }: DeclaredRoute): boolean {
  const isOnDevice = access.kind === 'Permission' && access.target.kind === 'Device';
  return tenant?.isObject === false || isOnDevice;
}

describe('a Restricted server account with assignments in one tenant', () => {
  it('reads nothing of another one, by no GET route', async () => {
    const caller = await createCaller(server, own, 'restricted server account');
    const inTenant = permissionCatalog.filter((permission) => !isOfServer(permission));
    await giveRights(server, broadRights(caller, inTenant, own));
    const scenes = { own: new Scene(server, own, caller.owner), other: new Scene(server, other) };
    const calls: { readonly route: DeclaredRoute; readonly theirs: ValidCall; readonly ours: ValidCall }[] = [];
    for (const route of routesOf(server).filter(isRead)) {
      calls.push({ route, ours: await callOf(route, scenes.own), theirs: await callOf(route, scenes.other) });
    }
    expect(calls.filter(({ route }) => isOfTenant(route)).length).toBeGreaterThan(30);
    const found = await complaints(calls, async ({ route, ours, theirs }) => {
      const answer = await send(caller.client, route, theirs, other.id);
      if (isOfTenant(route)) {
        const isRefused = answer.status === 403 || answer.status === 404;
        if (!isRefused) return `${keyOf(route)}: ${answer.status} ${answer.text.slice(0, 100)}`;
        const inOwn = await send(caller.client, route, ours, own.id);
        // Some routes are for users only.
        const isMissing = inOwn.status === 403 && !inOwn.text.includes('belong to users');
        return isMissing ? `${keyOf(route)} in its own tenant: 403 ${inOwn.text.slice(0, 100)}` : null;
      }
      const told = [other.id, other.name ?? other.id, ...idsIn(theirs.path)].filter((secret) => answer.text.includes(secret));
      return answer.status < 300 && told.length > 0 ? `${keyOf(route)} tells ${told.join(', ')}` : null;
    });
    expect(found).toEqual([]);
  });
});
