import { beforeAll, describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../src/access/authorization/guard/access-declarations.js';
import type { Access, AccessTarget, TenantSource } from '../../src/access/authorization/guard/access.js';
import { previewApplication } from '../../src/describe-offline.js';
import { routes } from '../routes/index.js';
import type { Route } from '../routes/resource.js';

let declared: readonly DeclaredRoute[];

beforeAll(async () => {
  const env = { Service_AppOptions__EnableApiBrowserUi: 'true', Service_AppOptions__EnableInteractiveBearerLogin: 'true' };
  declared = (await previewApplication(env)).routes;
});

const keyOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;

function targetText(target: AccessTarget): string {
  switch (target.kind) {
    case 'Server':
      return 'server';
    case 'Tenant':
      return 'tenant';
    case 'DeviceScope':
      return 'device scope';
    case 'Device':
      return `device: ${target.carrier} ${target.field}`;
    case 'DeviceGroup':
      return `device group: ${target.carrier} ${target.field}`;
    case 'UserGroup':
      return `user group: ${target.carrier} ${target.field}`;
  }
}

function accessText(access: Access): string {
  switch (access.kind) {
    case 'Anonymous':
      return 'anonymous';
    case 'Authenticated':
      return 'authenticated';
    case 'SignedIn':
      return 'signed in';
    case 'Permission': {
      const orServer = access.orServer === null ? '' : ` or ${access.orServer.name}`;
      return `${access.permission.name} on ${targetText(access.target)}${orServer}`;
    }
  }
}

function tenantText(source: TenantSource | null): Route['tenant'] {
  if (source === null) return undefined;
  if (source.carrier === 'claim') return 'caller';
  expect(source.field).toBe('tenantId');
  if (source.isOptional === true) return 'query or caller';
  return source.isObject && source.carrier === 'path' ? 'path, as the object' : source.carrier;
}

const PROVED = { Everybody: 'all', Programs: 'programs' } as const;

/** One line per route, so that differences are easy to see. */
function sentence(
  key: string,
  {
    access,
    tenant,
    cacheSeconds,
    proof,
    tagged,
    ifMatch,
  }: Pick<Route, 'access' | 'tenant' | 'cacheSeconds' | 'proof' | 'tagged' | 'ifMatch'>,
): string {
  const tags = `${tagged !== undefined ? ', answers its tag' : ''}${ifMatch === undefined ? '' : ', takes If-Match'}`;
  const proved = proof === undefined ? '' : `, proved lately: ${proof}`;
  return `${key}: ${access}${proved}; tenant: ${tenant ?? 'none'}; cached: ${cacheSeconds ?? 0} s${tags}`;
}

describe('the routes', () => {
  it('that take a tag in If-Match have a route that answers it', () => {
    for (const [key, { ifMatch }] of Object.entries(routes)) {
      if (ifMatch !== undefined) expect([key, routes[ifMatch]?.tagged]).toEqual([key, expect.arrayContaining([200])]);
    }
  });

  it('match test/routes in access, tenant, cache time and entity tags', () => {
    const expected = Object.entries(routes).flatMap(([key, route]) => (route.call === undefined ? [] : [sentence(key, route)]));
    const actual = declared.map((route) =>
      sentence(keyOf(route), {
        access: accessText(route.access),
        tenant: tenantText(route.tenant),
        cacheSeconds: route.cache?.seconds,
        ...(route.taggedState === null ? {} : { tagged: [] }),
        ...(route.takesIfMatch ? { ifMatch: '' } : {}),
        ...(route.proofDuty === null ? {} : { proof: PROVED[route.proofDuty] }),
      }),
    );
    expect(actual.sort()).toEqual(expected.sort());
  });

  it('are cached privately if they require authentication', () => {
    for (const { access, cache } of declared) {
      if (cache !== null) expect(cache.private).toBe(access.kind !== 'Anonymous');
    }
  });

  it('are cached only if they are GET and take no query', () => {
    for (const { method, cache, tenant } of declared) {
      if (cache !== null) expect({ method, tenant }).toEqual({ method: 'GET', tenant: null });
    }
  });
});
