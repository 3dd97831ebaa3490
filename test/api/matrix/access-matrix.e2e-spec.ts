import { beforeAll, describe, expect, it } from 'vitest';

import type { UserPrincipal } from '../../../src/access/authentication/principals/principal.js';
import { AuthorizationService } from '../../../src/access/authorization/evaluation/authorization.service.js';
import type { Resource } from '../../../src/access/authorization/evaluation/rules.js';
import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import {
  Permission,
  permissionCatalog,
  PermissionEffect,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../../../src/access/authorization/permissions/permission.js';
import { InstallerKeyCreatorKind } from '../../../src/devices/installer-keys/installer-key.entity.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import { isGuid, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { formatKey } from '../../../src/platform/common/identifiers/secret.js';
import { routes as knownRoutes } from '../../routes/index.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene } from '../../routes/scene.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { openSession } from '../../support/callers/browser.js';
import {
  at,
  createLogonToken,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createUser,
  holder,
  logonSessionOf,
  type Scope,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import {
  broadRights,
  callerKinds,
  createCaller,
  giveRights,
  isOfServer,
  isOfTenant,
  isUser,
  rightsAt,
  type Caller,
  type CallerKind,
  type Right,
} from './callers.js';
import { callOf, complaints, forEachOf, isInternal, keyOf, MATRIX_SETTINGS, routesOf, scopesOf } from './calling.js';
import {
  complaintsAbout as complaintsAboutCells,
  expectNothingChanged as expectNothingChangedBy,
  isAnonymous,
  looksAtEachDevice,
  neededBy,
  needsPermission,
  refusal,
  success,
  type Cell,
  type Outcome,
  type Refusal,
} from './cells.js';

/*
 * Calls every route as every kind of caller. What a caller needs follows from the declarations of the application;
 * test/routes contains the calls. The internal routes have a sweep of their own (internal-access.e2e-spec.ts).
 */

/** An hour in milliseconds: longer than any of these tests. */
const HOUR = 60 * 60_000;
/** Scopes that contain every object of a tenant. */
const WHOLES: readonly PermissionScopeKind[] = [PermissionScopeKind.Tenant, PermissionScopeKind.Server];
const NOTHING_IN_TENANT: Refusal = { detail: 'The account is restricted and has no permission assignments in the tenant.' };
const NO_ASSIGNMENTS: Refusal = { detail: 'The account is restricted and has no permission assignments.' };
const NOT_THEIR_TENANT: Refusal = { detail: 'The tenant that the request names is not yours.' };

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
const other = testTenant(server);
let routes: readonly DeclaredRoute[];
/** One call per route, for callers that are refused. */
const calls = new Map<DeclaredRoute, ValidCall>();

beforeAll(async () => {
  routes = routesOf(server).filter((route) => !isInternal(route));
  await forEachOf(routes, async (route) => calls.set(route, await callOf(route, new Scene(server, home))));
});

function callFor(route: DeclaredRoute): ValidCall {
  const call = calls.get(route);
  if (call === undefined) throw new Error(`No call was made for ${keyOf(route)}.`);
  return call;
}

const complaintsAbout = (cells: readonly Cell[]): Promise<string[]> => complaintsAboutCells(cells, home.id);
const expectNothingChanged = (cells: readonly Cell[]): Promise<void> => expectNothingChangedBy(server, cells, home.id);

it('covers exactly the routes of the application', () => {
  const callable = Object.keys(knownRoutes).filter((key) => knownRoutes[key].call !== undefined);
  expect(callable.sort()).toEqual(routesOf(server).map(keyOf).sort());
});

describe('without a valid credential', () => {
  const past = (): Date => new Date(server.clock.milliseconds() - HOUR);

  async function credentials(): Promise<Record<string, Record<string, string>>> {
    const unrestricted = { accessMode: ServiceAccountAccessMode.Unrestricted };
    const inheriting = { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner };
    const user = await createUser(server, { tenantId: home.id });
    const lockedOut = await createUser(server, { tenantId: home.id, lockoutEnd: new Date(server.clock.milliseconds() + HOUR) });
    const account = (
      values: Parameters<typeof createServiceAccountWithKey>[1],
      credential?: Parameters<typeof createServiceAccountWithKey>[2],
    ): Promise<string> => createServiceAccountWithKey(server, values, credential).then(({ key }) => key);
    const token = (of: typeof user, values: object): Promise<string> =>
      createPersonalAccessToken(server, of, { ...inheriting, ...values }).then(({ key }) => key);
    return {
      'no credential': {},
      'unknown key': { 'x-api-key': formatKey(newGuid(), 'secret') },
      'wrong secret': { 'x-api-key': `${ROOT_KEY}x` },
      'revoked key': { 'x-api-key': await account(unrestricted, { revokedAt: past() }) },
      'expired key': { 'x-api-key': await account(unrestricted, { expiresAt: past() }) },
      'key of a disabled account': { 'x-api-key': await account({ ...unrestricted, isEnabled: false }) },
      'unknown token': { 'x-personal-token': formatKey(newGuid(), 'secret') },
      'revoked token': { 'x-personal-token': await token(user, { revokedAt: past() }) },
      'expired token': { 'x-personal-token': await token(user, { expiresAt: past() }) },
      'token of a user who is locked out': { 'x-personal-token': await token(lockedOut, {}) },
      'key as token, beside a good key': { 'x-personal-token': ROOT_KEY, 'x-api-key': ROOT_KEY },
      'unknown session': { cookie: 'device-management-session=unknown' },
    };
  }

  it('every route answers 401, except anonymous ones, which read no credential', async () => {
    const cells = Object.entries(await credentials()).flatMap(([who, headers]) =>
      routes.map((route) => {
        const call = callFor(route);
        return { route, who, client: server.client(headers), call, outcome: isAnonymous(route) ? call.status : 401 };
      }),
    );
    await expectNothingChanged(cells);
  });
});

describe('a caller of another tenant', () => {
  it('is refused, whatever it holds in its tenant', async () => {
    const cells: Cell[] = [];
    const tenantPermissions = permissionCatalog.filter(({ scopeKinds }) => scopeKinds.includes(PermissionScopeKind.Tenant));
    for (const kind of callerKinds) {
      const caller = await createCaller(server, other, kind);
      await giveRights(server, broadRights(caller, tenantPermissions, other));
      for (const route of routes.filter((one) => !isAnonymous(one))) {
        cells.push({ route, who: kind, client: caller.client, call: callFor(route), outcome: ofAnotherTenant(route, kind) });
      }
    }
    await expectNothingChanged(cells);
  });

  function ofAnotherTenant(route: DeclaredRoute, kind: CallerKind): Outcome {
    const { access, tenant } = route;
    if (isOfTenant(kind) && tenant?.isObject === false) return NOT_THEIR_TENANT;
    if (access.kind === 'Permission') {
      // A caller that can name the tenant of a device learns that the device exists; others do not.
      const isDevice = access.target.kind === 'Device' && tenant === null;
      return isDevice && isOfTenant(kind) ? 404 : refusal(route);
    }
    // A server account may name any tenant, but is refused where it holds nothing. Every caller may use routes without a tenant.
    if (tenant?.isObject === false) return NOTHING_IN_TENANT;
    return success(route, callFor(route), isUser(kind));
  }
});

describe('a caller without the permission', () => {
  it('is refused when it holds nothing', async () => {
    const cells: Cell[] = [];
    for (const kind of callerKinds) {
      const { client } = await createCaller(server, home, kind);
      for (const route of routes.filter(needsPermission)) {
        // A Restricted server account without assignments is refused everything, including lists.
        const outcome = kind === 'restricted server account' ? NO_ASSIGNMENTS : refusal(route);
        cells.push({ route, who: kind, client, call: callFor(route), outcome });
      }
    }
    await expectNothingChanged(cells);
  });

  it('is refused when it is a Restricted server account without assignments, also on routes that need no permission', async () => {
    const { client } = await createCaller(server, home, 'restricted server account');
    const open = routes.filter(({ access }) => access.kind === 'Authenticated');
    await expectNothingChanged(open.map((route) => ({ route, who: 'it', client, call: callFor(route), outcome: NO_ASSIGNMENTS })));
  });

  it('is refused when it holds every other permission', async () => {
    const cells: Cell[] = [];
    const rights: Right[] = [];
    for (const [needed, reached] of routesByPermissions()) {
      const others = permissionCatalog.filter((permission) => !needed.includes(permission));
      const refused = (who: string, { client }: Caller): void => {
        for (const route of reached) cells.push({ route, who, client, call: callFor(route), outcome: refusal(route) });
      };
      await forEachOf(callerKinds, async (kind) => {
        const caller = await createCaller(server, home, kind);
        rights.push(...broadRights(caller, others, home));
        refused(kind, caller);
      });
      // Both the token and its owner need the permission.
      await forEachOf([0, 1], async (without) => {
        const caller = await createCaller(server, home, 'restricted token');
        rights.push(...broadRights(caller, others, home), ...broadRights({ holders: [caller.holders[1 - without]] }, needed, home));
        refused(without === 0 ? 'token of an owner without it' : 'token without it of an owner with it', caller);
      });
    }
    await giveRights(server, rights);
    await expectNothingChanged(cells);
  });

  it.each(callerKinds)('is refused when it holds the permission on other objects only: %s', async (kind) => {
    const caller = await createCaller(server, home, kind);
    const cells: Cell[] = [];
    const rights: Right[] = [];
    await forEachOf(routes.filter(needsPermission), async (route) => {
      const [needed] = neededBy(route);
      const scopes = await scopesOf(server, route, await callOf(route, new Scene(server, home)), home);
      const onObjects = scopes.filter(({ scopeKind }) => needed.scopeKinds.includes(scopeKind) && !WHOLES.includes(scopeKind));
      if (onObjects.length === 0) return;
      rights.push(...onObjects.flatMap((scope) => rightsAt(caller, needed, scope)));
      cells.push({ route, who: kind, client: caller.client, call: callFor(route), outcome: refusal(route) });
    });
    await giveRights(server, rights);
    await expectNothingChanged(cells);
  });

  it('is refused before its body is checked, and before what its path names is looked for', async () => {
    const cells: Cell[] = [];
    for (const kind of ['user', 'tenant account'] as const) {
      const { client } = await createCaller(server, home, kind);
      for (const route of routes.filter((one) => needsPermission(one) && !looksAtEachDevice(one))) {
        cells.push({ route, who: kind, client, call: unfinished(route), outcome: refusal(route) });
      }
    }
    await expectNothingChanged(cells);
  });

  /** The call with nothing in its body but ids, and with ids of nothing in its path, besides those that the guard reads. */
  function unfinished(route: DeclaredRoute): ValidCall {
    const { path = {}, body, ...rest } = callFor(route);
    const { access } = route;
    const guarded = ['tenantId', access.kind === 'Permission' && 'field' in access.target ? access.target.field : ''];
    const segments = Object.entries(path).map(([name, value]): [string, string] => [
      name,
      !guarded.includes(name) && isGuid(value) ? newGuid() : value,
    ]);
    const isJson = typeof body === 'object' && body !== null;
    const members = isJson ? Object.fromEntries(Object.entries(body).filter(([, value]) => isGuid(value))) : body;
    return { ...rest, path: Object.fromEntries(segments), body: members };
  }

  /** Routes by the permissions that open them. */
  function routesByPermissions(): (readonly [PermissionDefinition[], DeclaredRoute[]])[] {
    const groups = new Map<string, readonly [PermissionDefinition[], DeclaredRoute[]]>();
    for (const route of routes.filter(needsPermission)) {
      const needed = neededBy(route);
      const name = needed.map((permission) => permission.name).join();
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [needed, [route]]);
      else group[1].push(route);
    }
    return [...groups.values()];
  }
});

describe('a caller that holds the permission and has a Deny of it', () => {
  /**
   * Callers of one kind. One caller serves all routes whose permission is denied at the same kind of scope, because
   * each call has its own objects. Server permissions get separate callers, because some of them also open routes of
   * tenants.
   */
  function callersOf(kind: CallerKind): (needed: PermissionDefinition, scope: Scope) => Promise<Caller> {
    const callers = new Map<string, Promise<Caller>>();
    return (needed, { scopeKind }) => {
      const key = `${isOfServer(needed)} ${scopeKind}`;
      const caller = callers.get(key) ?? createCaller(server, home, kind);
      callers.set(key, caller);
      return caller;
    };
  }

  it.each(callerKinds)('is refused at whatever scope the Deny is: %s', async (kind) => {
    const cells: Cell[] = [];
    const rights: Right[] = [];
    const callerFor = callersOf(kind);
    await forEachOf(routes.filter(needsPermission), async (route) => {
      const call = callFor(route);
      const [needed] = neededBy(route);
      for (const scope of await scopesOf(server, route, call, home)) {
        const caller = await callerFor(needed, scope);
        rights.push(...broadRights(caller, [needed, ...(call.also ?? [])], home));
        // The last holder of a token is the token itself, and its own Deny takes rights from it.
        rights.push(...rightsAt({ holders: caller.holders.slice(-1) }, needed, scope, PermissionEffect.Deny));
        cells.push({ route, who: `${kind} denied at ${scope.scopeKind}`, client: caller.client, call, outcome: refusal(route) });
      }
    });
    await giveRights(server, rights);
    await expectNothingChanged(cells);
  });

  it('is refused when the Deny has another source than the Allow: a group, the owner of a token', async () => {
    const cells: Cell[] = [];
    const rights: Right[] = [];
    const [throughGroupFor, tokenFor] = [callersOf('user through a group'), callersOf('restricted token')];
    await forEachOf(routes.filter(needsPermission), async (route) => {
      const call = callFor(route);
      const [needed] = neededBy(route);
      const [scope] = await scopesOf(server, route, call, home);
      const throughGroup = await throughGroupFor(needed, scope);
      rights.push(...broadRights({ holders: [throughGroup.self] }, [needed, ...(call.also ?? [])], home));
      rights.push(...rightsAt(throughGroup, needed, scope, PermissionEffect.Deny));
      const token = await tokenFor(needed, scope);
      rights.push(...broadRights(token, [needed, ...(call.also ?? [])], home));
      rights.push(...rightsAt({ holders: token.holders.slice(0, 1) }, needed, scope, PermissionEffect.Deny));
      cells.push({ route, who: 'denied through a group', client: throughGroup.client, call, outcome: refusal(route) });
      cells.push({ route, who: 'token of a denied owner', client: token.client, call, outcome: refusal(route) });
    });
    await giveRights(server, rights);
    await expectNothingChanged(cells);
  });
});

describe('a caller that holds the permission', () => {
  /** A caller for one call, so that the changes of other calls do not matter, and the rights that it needs. */
  async function cellOf(
    route: DeclaredRoute,
    kind: CallerKind,
    scopeKind: PermissionScopeKind,
    permission: PermissionDefinition,
  ): Promise<{ readonly cell: Cell; readonly rights: readonly Right[] }> {
    const caller: Caller = await createCaller(server, home, kind);
    const call = await callOf(route, new Scene(server, home, caller.owner));
    const scope = (await scopesOf(server, route, call, home)).find((one) => one.scopeKind === scopeKind);
    if (scope === undefined) throw new Error(`${keyOf(route)} is not about anything at ${scopeKind} scope.`);
    const rights = [...rightsAt(caller, permission, scope), ...broadRights(caller, call.also ?? [], home)];
    const outcome = success(route, call, isUser(kind));
    return { cell: { route, who: `${kind} at ${scopeKind}`, client: caller.client, call, outcome }, rights };
  }

  it.each(callerKinds)('and nothing else succeeds at every scope where the permission is legal: %s', async (kind) => {
    const wanted: (readonly [DeclaredRoute, PermissionScopeKind, PermissionDefinition])[] = [];
    for (const route of routes.filter(needsPermission)) {
      const about = new Set((await scopesOf(server, route, callFor(route), home)).map(({ scopeKind }) => scopeKind));
      for (const permission of neededBy(route)) {
        // A tenant route that a server permission also opens counts as a server route for the holder of that permission.
        for (const scopeKind of permission.scopeKinds) {
          if (!about.has(scopeKind)) throw new Error(`${keyOf(route)} is about nothing at ${scopeKind} scope.`);
          const countsNot = scopeKind === PermissionScopeKind.Server && permission.scopeKinds.length > 1 && isOfTenant(kind);
          if (!countsNot) wanted.push([route, scopeKind, permission]);
        }
      }
    }
    const made = await forEachOf(wanted, ([route, scopeKind, permission]) => cellOf(route, kind, scopeKind, permission));
    await giveRights(
      server,
      made.flatMap(({ rights }) => rights),
    );
    expect(await complaintsAbout(made.map(({ cell }) => cell))).toEqual([]);
  });

  it('succeeds without any permission on routes that require none', async () => {
    const open = routes.filter(({ access }) => access.kind === 'Authenticated');
    const cells: Cell[] = [];
    for (const kind of callerKinds) {
      for (const route of open) {
        const caller = await createCaller(server, home, kind);
        // A Restricted server account must hold at least one permission.
        if (!isOfTenant(kind)) await giveRights(server, broadRights(caller, [Permission.TenantRead], home));
        const call = await callOf(route, new Scene(server, home, caller.owner));
        cells.push({ route, who: kind, client: caller.client, call, outcome: success(route, call, isUser(kind)) });
      }
    }
    expect(await complaintsAbout(cells)).toEqual([]);
  });
});

describe('a user who signed in', () => {
  it('succeeds without any permission on routes that require none, and on those of the own account', async () => {
    const cells: Cell[] = [];
    for (const route of routes.filter(({ access }) => access.kind === 'SignedIn' || access.kind === 'Authenticated')) {
      const user = await createUser(server, { tenantId: home.id });
      const client = server.client({ cookie: await openSession(server, user) });
      const call = await callOf(route, new Scene(server, home, { id: user.id, creatorKind: InstallerKeyCreatorKind.User }));
      cells.push({ route, who: 'a browser', client, call, outcome: call.status });
    }
    expect(await complaintsAbout(cells)).toEqual([]);
  });
});

describe('an Unrestricted server account', () => {
  it('succeeds everywhere, also with a Deny of everything', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
    const denied = [holder.serviceAccount(account)];
    await giveRights(
      server,
      permissionCatalog.flatMap((permission) => rightsAt({ holders: denied }, permission, at.server, PermissionEffect.Deny)),
    );
    const client = server.client({ 'x-api-key': key });
    const sentences = await complaints(routes, async (route) => {
      const owner = { id: account.id, creatorKind: InstallerKeyCreatorKind.ServerServiceAccount };
      const call = await callOf(route, new Scene(server, home, owner));
      const [complaint] = await complaintsAbout([{ route, who: 'it', client, call, outcome: success(route, call, false) }]);
      return complaint ?? null;
    });
    expect(sentences).toEqual([]);
  });
});

describe('a session that a logon token opened', () => {
  const ON_DEVICES = permissionCatalog.filter(({ scopeKinds }) => scopeKinds.includes(PermissionScopeKind.Device));

  /** The session of a user that holds everything, with a token that carries these permissions on one device. */
  async function session(deviceId: string, carried: readonly PermissionDefinition[]): Promise<UserPrincipal> {
    const { holders } = await createCaller(server, home, 'user');
    const user = await createUser(server, { tenantId: home.id });
    const token = await createLogonToken(server, user, { id: deviceId, tenantId: home.id });
    const ofToken = { holders: [holder.logonToken(token)] };
    await giveRights(server, [
      ...broadRights({ holders: [...holders, holder.user(user)] }, permissionCatalog, home),
      ...carried.flatMap((permission) => rightsAt(ofToken, permission, at.device({ id: deviceId, tenantId: home.id }))),
    ]);
    return logonSessionOf(user, token);
  }

  it('may do on its device what its token carries, and nothing else', async () => {
    const authorization = server.app.get(AuthorizationService);
    const scene = new Scene(server, home);
    const [{ id: own }, { id: another }] = [await scene.device(), await scene.device()];
    const [carrying, empty] = [await session(own, ON_DEVICES), await session(own, [])];
    const group = { kind: 'DeviceGroup', id: (await scene.deviceGroup()).id, tenantId: home.id } as const;
    const userGroup = { kind: 'UserGroup', id: (await scene.userGroup()).id, tenantId: home.id } as const;
    const elsewhere: readonly Resource[] = [{ kind: 'Server' }, { kind: 'Tenant', tenantId: home.id }, group, userGroup];
    const [ownDevice, anotherDevice] = [await authorization.device(own), await authorization.device(another)];
    if (ownDevice === null || anotherDevice === null) throw new Error('The devices are gone.');

    for (const permission of new Set(routes.flatMap(neededBy))) {
      const allowed = (principal: UserPrincipal, resource: Resource): Promise<boolean> =>
        authorization.isAllowed(principal, permission, resource);
      expect([permission.name, await allowed(carrying, ownDevice)]).toEqual([permission.name, ON_DEVICES.includes(permission)]);
      for (const [principal, resources] of [
        [carrying, [anotherDevice, ...elsewhere]],
        [empty, [ownDevice, anotherDevice, ...elsewhere]],
      ] as const) {
        for (const resource of resources)
          expect([permission.name, resource, await allowed(principal, resource)]).toEqual([permission.name, resource, false]);
      }
    }
  });

  it('sees no device but its own in lists', async () => {
    const authorization = server.app.get(AuthorizationService);
    const { id } = await new Scene(server, home).device();
    for (const route of routes.filter(looksAtEachDevice)) {
      const [permission] = neededBy(route);
      for (const carried of [[permission], []]) {
        const { sql, parameters } = await authorization.deviceScope(await session(id, carried), permission, 'd');
        const rows = await server.dataSource.query<{ id: string }[]>(`SELECT d.id FROM devices d WHERE ${sql}`, [...parameters]);
        expect(rows.map((row) => row.id)).toEqual(carried.length === 0 ? [] : [id]);
      }
    }
  });
});
