import { AuthorizationService } from '../../../src/access/authorization/evaluation/authorization.service.js';
import { AccessDeclarations, type DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { routes } from '../../routes/index.js';
import type { ValidCall } from '../../routes/resource.js';
import type { Scene } from '../../routes/scene.js';
import type { ApiAnswer, ApiCall, ApiClient } from '../../support/application/api-client.js';
import type { TestApp } from '../../support/application/app.js';
import { at, type Scope } from '../../support/fixtures/factories.js';

/** The limits for wrong credentials are off, because thousands come from one address, and every route exists. */
export const MATRIX_SETTINGS = {
  Service_AppOptions__ServiceAccountAuthFailureLimit: '0',
  Service_AppOptions__EnableApiBrowserUi: 'true',
  Service_AppOptions__EnableInteractiveBearerLogin: 'true',
  // Mails are written to a folder.
  NODE_ENV: 'development',
};

/** Number of parallel calls. */
const PARALLEL = 12;

/** The name of a route in tables and messages. */
export function keyOf({ method, path }: Pick<DeclaredRoute, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Every route of the running application. */
export function routesOf(server: TestApp): readonly DeclaredRoute[] {
  return server.app.get(AccessDeclarations).all();
}

/** Returns true for a route of the internal surface. Its access is that of its twin of version 1, so it is called by fewer callers. */
export function isInternal({ replacement, tenant }: DeclaredRoute): boolean {
  return replacement !== null || tenant?.carrier === 'claim';
}

/** A valid call of the route. */
export async function callOf(route: DeclaredRoute, scene: Scene): Promise<ValidCall> {
  const make = routes[keyOf(route)]?.call;
  if (make === undefined) throw new Error(`test/routes does not say how to call ${keyOf(route)}.`);
  return make(scene);
}

/** Sends a call that names the tenant. */
export function send(client: ApiClient, route: DeclaredRoute, call: ValidCall, tenantId: string): Promise<ApiAnswer> {
  const { path, ...rest } = requestOf(route, call, tenantId);
  return client.call(route.method, path, rest);
}

/** The request of a call, with the tenant where the route takes it. */
export function requestOf(route: DeclaredRoute, call: ValidCall, tenantId: string): ApiCall & { readonly path: string } {
  const { tenant } = route;
  const carried = { tenantId };
  const segments: Readonly<Record<string, string>> = tenant?.carrier === 'path' ? { ...carried, ...call.path } : { ...call.path };
  const path = route.path.replaceAll(/:(\w+)/g, (_segment, name: string) => {
    const value = segments[name];
    if (value === undefined) throw new Error(`The call of ${keyOf(route)} does not say what ${name} is.`);
    return encodeURIComponent(value);
  });
  return {
    path,
    query: { ...(tenant?.carrier === 'query' ? carried : {}), ...call.query },
    body: tenant?.carrier === 'body' ? { ...carried, ...(call.body as object) } : call.body,
    ...(call.headers === undefined ? {} : { headers: { ...call.headers } }),
  };
}

/** The scopes that contain the object of a call, narrowest first. */
export async function scopesOf(server: TestApp, { access }: DeclaredRoute, call: ValidCall, tenant: Tenant): Promise<Scope[]> {
  if (access.kind !== 'Permission') return [];
  const { target } = access;
  const inTenant = [at.tenant(tenant), at.server];
  switch (target.kind) {
    case 'Server':
      return [at.server];
    case 'Tenant':
      return inTenant;
    case 'UserGroup':
    case 'DeviceGroup': {
      const group = { id: named(call, target.field), tenantId: tenant.id };
      return [target.kind === 'UserGroup' ? at.userGroup(group) : at.deviceGroup(group), ...inTenant];
    }
    case 'Device':
    case 'DeviceScope': {
      const id = target.kind === 'Device' ? named(call, target.field) : call.deviceId;
      const device = id === undefined ? null : await server.app.get(AuthorizationService).device(id);
      if (device === null) throw new Error('The call is about no device that there is.');
      const { tenantId, customerId, deviceGroupIds } = device;
      return [
        at.device(device),
        ...deviceGroupIds.map((groupId) => at.deviceGroup({ id: groupId, tenantId })),
        ...(customerId === null ? [] : [at.customer({ id: customerId, tenantId })]),
        ...inTenant,
      ];
    }
  }
}

/** The id that a call has in its path or body. */
function named({ path, body }: ValidCall, field: string): string {
  const value: unknown = path?.[field] ?? (body as Readonly<Record<string, unknown>> | undefined)?.[field];
  if (typeof value !== 'string') throw new Error(`The call has no ${field}.`);
  return value;
}

/** Runs work on every item, a few at a time. The results have no order. */
export async function forEachOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}

/** The complaints that work returns for faulty items. */
export async function complaints<T>(items: readonly T[], work: (item: T) => Promise<string | null>): Promise<string[]> {
  const sentences = await forEachOf(items, work);
  return sentences.filter((sentence) => sentence !== null).sort();
}
