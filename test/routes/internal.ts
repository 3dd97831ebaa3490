import { readFileSync } from 'node:fs';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { onDevice } from './calls.js';
import type { MakeCall, Route, ValidCall } from './resource.js';

/*
 * The rows of the internal routes, which follow from those of their twins of version 1 and from the contract. Only what cannot follow
 * stands here: bodies that are other than those of the twins.
 */

/** Entry of the contract about an internal route: the route to use instead, and the form of the body by status. */
export interface InternalRoute {
  readonly replacement: string | null;
  /** Of success `body`, `list` (an array), or `nothing`; of failures `problem`, `text` or `nothing`, joined by `or`. */
  readonly answers: Readonly<Record<string, string>>;
}

/** Every internal route of the contract, besides those that open sessions. */
export const internalContract = JSON.parse(
  readFileSync(new URL('../contract/fixtures/internal-routes.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, InternalRoute>>;

const FORM = 'POST /api/device-file-system/download-archive/:deviceId/form';
/** A route in the tenant of the caller, although its twin takes no tenant. */
const DELETE_MANY = 'POST /api/devices/delete-many';

type Body = Readonly<Record<string, unknown>>;

/** The bodies that differ from those of the twins. */
const BODIES: Readonly<Record<string, (path: Readonly<Record<string, string>>, body: Body) => object>> = {
  'PUT /api/tags': ({ tagId }, { name }) => ({ tagId, newTagName: name }),
  'PUT /api/installer-keys/rename': ({ keyId }, { friendlyName }) => ({ id: keyId, friendlyName }),
  'POST /api/logon-tokens': (_path, { deviceId, expirationMinutes }) => ({
    deviceId,
    expirationMinutes,
    scopes: [{ permissionName: 'device.read', scopeKind: 'Device', scopeId: deviceId }],
  }),
};

/** Other differences from the calls of the twins. */
const CALLS: Readonly<Record<string, Partial<ValidCall>>> = {
  'POST /api/logon-tokens': { also: [Permission.DeviceRead], statusWithoutUser: 400 },
};

/** The rows of all internal routes. `routes` has those of version 1. */
export function internalRows(routes: Readonly<Record<string, Route>>): Readonly<Record<string, Route>> {
  const rows = Object.entries(internalContract).flatMap(([name, { replacement, answers }]): [string, Route][] => {
    const key = asRoute(name);
    if (replacement === null) return [];
    const twin = routes[asRoute(replacement)];
    return [
      [key, { access: twin.access, ...tenantOf(key, twin), ...ruleOf(twin), call: callOf(key, twin.call, answers), writes: twin.writes }],
    ];
  });
  return { ...Object.fromEntries(rows), [FORM]: archiveForm(routes['POST /api/v1/device-file-system/download-archive/:deviceId']) };
}

/** The name of a route as the application has it. */
function asRoute(name: string): string {
  return name.replace(/\?.*$/, '').replaceAll(/\{(\w+)\}/g, ':$1');
}

function archiveForm({ access }: Route): Route {
  const body = new URLSearchParams([
    ['archiveFileName', 'a'],
    ['targetPaths', '/a'],
    ['targetPaths', '/b'],
  ]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { access, tenant: 'caller', call: onDevice({ body: body.toString(), headers }) };
}

function tenantOf(key: string, { tenant }: Route): Pick<Route, 'tenant'> {
  return tenant === undefined && key !== DELETE_MANY ? {} : { tenant: 'caller' };
}

function ruleOf({ cacheSeconds, proof }: Route): Pick<Route, 'cacheSeconds' | 'proof'> {
  return { ...(cacheSeconds === undefined ? {} : { cacheSeconds }), ...(proof === undefined ? {} : { proof }) };
}

function callOf(key: string, call: MakeCall | undefined, answers: InternalRoute['answers']): MakeCall {
  return async (scene) => {
    if (call === undefined) throw new Error(`The twin of ${key} has no call.`);
    // Refusals have forms of their own there.
    const { path = {}, body, status, detail: _detail, ...rest } = await call(scene);
    const other = BODIES[key];
    const made: ValidCall = {
      ...rest,
      status: statusOf(status, answers),
      body: other === undefined ? body : other(path, body as Body),
      ...CALLS[key],
    };
    const names = [...key.matchAll(/:(\w+)/g)].map(([, name]) => name);
    // Segments of the same thing have other names in some routes.
    const values = Object.entries(path);
    return { ...made, path: Object.fromEntries(names.map((name, at) => [name, path[name] ?? values[at][1]])) };
  };
}

/** The status of success is that of the contract; refusals are those of the twin. */
function statusOf(status: number, answers: InternalRoute['answers']): number {
  if (status >= 300 || String(status) in answers) return status;
  return Number(Object.keys(answers).find((other) => other.startsWith('2')));
}
