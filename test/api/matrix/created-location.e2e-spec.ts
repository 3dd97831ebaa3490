import { beforeAll, describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene } from '../../routes/scene.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { callOf, isInternal, keyOf, MATRIX_SETTINGS, requestOf, routesOf, send } from './calling.js';

interface Creating {
  readonly route: DeclaredRoute;
  readonly call: ValidCall;
  /** The route that reads what this one creates, if there is one. */
  readonly reading: DeclaredRoute | undefined;
}

describe('a route that creates something', () => {
  const server = testServer(MATRIX_SETTINGS);
  const tenant = testTenant(server);
  let creating: readonly Creating[];

  beforeAll(async () => {
    // Answers of internal routes have no Location.
    const routes = routesOf(server).filter((route) => !isInternal(route));
    const found: Creating[] = [];
    for (const route of routes.filter(({ method }) => method === 'POST')) {
      const call = await callOf(route, new Scene(server, tenant));
      if (call.status !== 201 || call.statusWithoutUser !== undefined) continue;
      const reading = routes.find(
        ({ method, path }) => method === 'GET' && path.replace(/\/:\w+$/, '') === route.path && path !== route.path,
      );
      found.push({ route, call, reading });
    }
    creating = found;
  });

  it('answers its Location, if a route reads it', async () => {
    const followed: string[] = [];
    for (const { route, call, reading } of creating) {
      const { path, ...rest } = requestOf(route, call, tenant.id);
      const created = await server.client().post(path, rest);
      expect([keyOf(route), created.status]).toEqual([keyOf(route), 201]);
      const location = created.headers.get('location');
      expect([keyOf(route), location === null]).toEqual([keyOf(route), reading === undefined]);
      if (location === null) continue;
      const read = await server.client().get(location);
      // A secret is shown this once.
      const { secret: _secret, ...shown } = created.body as Readonly<Record<string, unknown>>;
      expect([keyOf(route), read.status, read.body]).toEqual([keyOf(route), 200, expect.objectContaining(shown)]);
      expect(reading?.pattern.test(new URL(location, server.url).pathname)).toBe(true);
      followed.push(keyOf(route));
    }
    expect(followed.length).toBeGreaterThan(5);
  });

  it('answers a Location only when it has created something', async () => {
    for (const { route, call } of creating) {
      const refused = await send(server.client(), route, { ...call, body: {} }, tenant.id);
      expect([keyOf(route), refused.status, refused.headers.get('location')]).toEqual([keyOf(route), 400, null]);
    }
  });
});
