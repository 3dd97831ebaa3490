import { describe, expect, it } from 'vitest';

import { ChangeLogSubject } from '../../../src/access/authorization/change-log/change-log-subject.entity.js';
import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import { permissionCatalog } from '../../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { routes } from '../../routes/index.js';
import { Scene } from '../../routes/scene.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights } from './callers.js';
import { callOf, isInternal, keyOf, MATRIX_SETTINGS, requestOf, routesOf } from './calling.js';
import { everythingStored } from './everything-stored.js';

/*
 * Checks for every route that changes something the entry in the log, its actor, and that no secrets are logged. The
 * caller holds every permission. Each call has a trace id, by which its entries are found.
 */

const V1 = '/api/v1';

/** Rows that grant nothing and belong to one owner. The change log omits them. */
const PRIVATE = ['user_preferences', 'user_storage_items'];

const server = testServer(MATRIX_SETTINGS);
const homeOfV1 = testTenant(server);
const homeOfInternal = testTenant(server);

/** The tables that the log covers, and the log itself. */
async function stored(): Promise<Readonly<Record<string, string>>> {
  const everything = await everythingStored(server);
  return Object.fromEntries(Object.entries(everything).filter(([name]) => name !== 'files' && !PRIVATE.includes(name)));
}

/** Every text of an answer that is as long as a secret. Such texts may be shown only once. */
function secretsIn({ text }: ApiAnswer): string[] {
  return [...text.matchAll(/[\w-]{80,}|(?<="temporaryPassword":")[^"]+/g)].map(([secret]) => secret);
}

/** Ids in the states of entries by which the index does not find the entry. The tenant is in all of them. */
async function unindexedIn(entries: readonly AuthorizationChangeLog[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { id, beforeJson, afterJson, owningTenantId } of entries) {
    const rows = await server.dataSource.manager.findBy(ChangeLogSubject, { entryId: id });
    const known = new Set(rows.map(({ subjectId }) => subjectId));
    const named =
      `${beforeJson} ${afterJson}`.match(/(?<!"(?:name|friendlyName)":")(?<=")[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=")/g) ?? [];
    missing.push(...named.filter((subject) => !known.has(subject) && subject !== owningTenantId));
  }
  return missing;
}

describe('the change log', () => {
  it.each([
    ['version 1', homeOfV1, ({ path }: DeclaredRoute) => path.startsWith(V1), 8],
    ['the internal surface', homeOfInternal, isInternal, 5],
  ] as const)(
    'has the entries that test/routes lists for each call, with actor and address, indexed, and without secrets: %s',
    async (_surface, home, isOf, leastSecrets) => {
      const caller = await createCaller(server, home, 'user');
      await giveRights(server, broadRights(caller, permissionCatalog, home));
      const changing = routesOf(server).filter((route) => route.method !== 'GET' && isOf(route));
      const found: Record<string, readonly string[]> = {};
      const leaks: string[] = [];
      const unindexed: string[] = [];
      let secrets = 0;
      for (const route of changing) {
        const key = keyOf(route);
        const call = await callOf(route, new Scene(server, home, caller.owner));
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
          // The assignments of every new user are created by the service itself.
          const actor = entry.actionType === 'permission-assignments-seeded' ? ['system', null] : ['user', caller.owner.id];
          expect([entry.actorPrincipalType, entry.actorPrincipalId]).toEqual(actor);
          expect(entry.ipAddress).toBe('127.0.0.1');
          expect(entry.beforeJson ?? entry.afterJson).not.toBeNull();
          if (!route.path.includes('server-') && !route.path.startsWith(`${V1}/tenants`)) expect(entry.owningTenantId).toBe(home.id);
        }
        unindexed.push(...(await unindexedIn(entries)).map((id) => `${key}: ${id}`));
        const log = entries.map(({ beforeJson, afterJson }) => `${beforeJson} ${afterJson}`).join();
        for (const secret of secretsIn(answer)) {
          secrets += 1;
          if (log.includes(secret)) leaks.push(`${key}: ${log}`);
        }
        if (/hash|secret|activation/i.test(log)) leaks.push(`${key}: ${log}`);
      }
      const wanted = changing.map((route): [string, readonly string[] | undefined] => [keyOf(route), routes[keyOf(route)].writes]);
      expect(found).toEqual(Object.fromEntries(wanted.filter(([, actions]) => actions !== undefined)));
      expect(leaks).toEqual([]);
      expect(unindexed).toEqual([]);
      // The answers did contain keys, tokens, links and a password, so the search for them was meaningful.
      expect(secrets).toBeGreaterThan(leastSecrets);
    },
  );
});
