import {
  createAccount,
  createAccounts,
  createAdministrator,
  createPeople,
  createTenantWithDevices,
  type Account,
} from '../harness/database.js';
import type { Scene } from '../harness/scene.js';
import type { AttackRequest, HttpAttackCalls } from '../loads/http-attack.js';
import type { RequestCalls } from '../loads/requests.js';
import { SECONDS, type Attack } from './attack.js';

const API = '/api/v1';
const JSON_TYPE = { 'content-type': 'application/json' };
/** First number of the devices that have no reporting agent. */
const FIRST_OTHER_DEVICE = 1_000_000;
const SEARCHED_DEVICES = 30_000;
const DELETED_DEVICES = 20_000;
const SIGN_INS_PER_SECOND = 50;
/** Users: more than sign in within a second, so that none of them signs in twice at once. */
const SIGNING_IN = 100;
/** Accounts of one tenant. */
const CROWD = 40;
const UPLOAD_BYTES = 8 * 1024 * 1024;

/** Pipelined requests on one connection: at most as many as one write of a socket takes, once per connection. */
export const pipelinedHealth: Attack = {
  title: '352 KiB of pipelined `GET /health` on one connection, over and over',
  prepare: async (scene) => pipelining(scene, 352 * 1024, 1),
};

export const manyPipelines: Attack = {
  title: '2.8 MiB of pipelined `GET /health` on each of 20 connections',
  prepare: async (scene) => pipelining(scene, 2.8 * 1024 * 1024, 20),
};

export const permissionWrites: Attack = {
  title: '60 parallel permission writes of one tenant',
  prepare: async (scene) => {
    const { tenantId, accountId } = await createAccount(scene.service.database, []);
    const writer = { tenantId, apiKey: await createAdministrator(scene.service.database) };
    const granted = { permissionName: 'device.terminal.use', effect: 'Allow', scopeKind: 'Tenant', isEnabled: false };
    const created = await call(scene, writer, 'POST', '/permission-assignments', {
      ...granted,
      principalKind: 'ServiceAccount',
      principalId: accountId,
      notes: null,
    });
    const requests = [1, 2].map((number) =>
      requestOf(writer, 'PUT', `/permission-assignments/${created.id}`, { ...granted, notes: `note ${number}` }),
    );
    return flooding(scene, requests, 60);
  },
};

export const passwordSettings: Attack = {
  title: '100 parallel settings of passwords',
  prepare: async (scene) => {
    const { tenantId } = await createAccount(scene.service.database, []);
    const writer = { tenantId, apiKey: await createAdministrator(scene.service.database) };
    const user = await call(scene, writer, 'POST', '/users', {
      userName: 'person',
      email: 'person@example.org',
      password: null,
      presetNames: [],
    });
    return flooding(scene, [requestOf(writer, 'POST', `/users/${user.id}/reset-password`)], 100);
  },
};

/**
 * Each person has an address, so that the limit of all passwords counts and not that of an address. An answer is a session; anything else
 * but a hint to come again is an error.
 */
export const signIns: Attack = {
  title: `${SIGN_INS_PER_SECOND} sign-ins a second, with the right passwords of ${SIGNING_IN} people at as many addresses`,
  mostP99: 3,
  prepare: async (scene) => {
    const password = 'Correct-Horse-7';
    const people = await createPeople(scene.service.database, SIGNING_IN, password);
    const requests = people.map((userName, index) => ({
      method: 'POST',
      path: '/account/sign-in',
      headers: { ...JSON_TYPE, 'x-forwarded-for': `198.51.100.${index + 1}` },
      body: JSON.stringify({ userName, password }),
    }));
    const load = scene.program<HttpAttackCalls>('loads/http-attack');
    return async () => {
      await load.call('offer', { url: scene.service.url, requests, rate: SIGN_INS_PER_SECOND });
      return {
        stop: async () => {
          const told = await load.call('stop', undefined);
          if (told.failed > 0) throw new Error(`${told.failed} sign-ins were neither accepted nor asked to come again.`);
          return told;
        },
      };
    };
  },
};

export const heavySearches: Attack = {
  title: `40 parallel searches with 50 filters and 20 sorts, more than are allowed, over ${SEARCHED_DEVICES.toLocaleString('en-US')} devices`,
  prepare: async (scene) => {
    const tenantId = await createTenantWithDevices(scene.service.database, FIRST_OTHER_DEVICE, SEARCHED_DEVICES);
    const administrator = { tenantId, apiKey: await createAdministrator(scene.service.database) };
    const filter = { propertyName: 'name', operator: 'not contains', value: 'zz' };
    const sort = { propertyName: 'osDescription', descending: true, sortOrder: 0 };
    const body = {
      searchText: 'workstation',
      filterDefinitions: Array.from({ length: 50 }, () => filter),
      sortDefinitions: Array.from({ length: 20 }, (_, sortOrder) => ({ ...sort, sortOrder })),
    };
    return flooding(scene, [requestOf(administrator, 'POST', '/devices/search', body)], 40);
  },
};

export const searches: Attack = {
  title: `40 parallel searches with as many terms as are allowed over ${SEARCHED_DEVICES.toLocaleString('en-US')} devices`,
  prepare: async (scene) => {
    const tenantId = await createTenantWithDevices(scene.service.database, FIRST_OTHER_DEVICE, SEARCHED_DEVICES);
    const administrator = { tenantId, apiKey: await createAdministrator(scene.service.database) };
    const filter = { propertyName: 'name', operator: 'not contains', value: 'zz' };
    const sort = { propertyName: 'osDescription', descending: true };
    const body = {
      searchText: 'workstation',
      filterDefinitions: Array.from({ length: 20 }, () => filter),
      sortDefinitions: Array.from({ length: 5 }, (_, sortOrder) => ({ ...sort, sortOrder })),
    };
    return flooding(scene, [requestOf(administrator, 'POST', '/devices/search', body)], 40);
  },
};

export const negotiations: Attack = {
  title: 'negotiations by an account without permissions, 100 under way',
  prepare: async (scene) => {
    const { apiKey } = await createAccount(scene.service.database, []);
    return flooding(scene, [{ method: 'POST', path: '/hubs/viewer/negotiate?negotiateVersion=1', headers: { 'x-api-key': apiKey } }], 100);
  },
};

export const requestsOfAccount: Attack = {
  title: '400 requests of one account under way: reads, and lists of permissions',
  prepare: async (scene) => {
    const reader = await createAccount(scene.service.database, ['device.read', 'tenant.permissions.read']);
    const paths = ['/devices', '/devices/summary', '/permission-assignments/catalog', '/user-server-settings/file-upload-max-size'];
    return flooding(
      scene,
      paths.map((path) => requestOf(reader, 'GET', path)),
      400,
    );
  },
};

/** Each account keeps to its own limits. Another tenant reads at the same time, one request after the other. */
export const requestsOfTenant: Attack = {
  title: `1,000 requests of ${CROWD} accounts of one tenant under way: reads, searches, and lists of permissions`,
  prepare: async (scene) => {
    const crowd = await createAccounts(scene.service.database, CROWD, ['device.read', 'tenant.permissions.read']);
    const paths = ['/devices', '/devices/summary', '/permission-assignments/catalog'];
    const search = { searchText: 'workstation', filterDefinitions: [], sortDefinitions: [] };
    const requests = crowd.flatMap((reader) => [
      ...paths.map((path) => requestOf(reader, 'GET', path)),
      requestOf(reader, 'POST', '/devices/search', search),
    ]);
    return flooding(scene, requests, 1_000);
  },
  bystanders: {
    title: 'reads of another tenant, one at a time',
    prepare: async (scene) => {
      const { service } = scene;
      const reader = await createAccount(service.database, ['device.read']);
      const load = scene.program<RequestCalls>('loads/requests');
      const { path, headers } = requestOf(reader, 'GET', '/devices/summary');
      return () => load.call('run', { url: `${service.url}${path}`, headers, connections: 1, seconds: SECONDS });
    },
  },
};

export const requestsOfNobody: Attack = {
  title: '400 anonymous requests under way: wrong keys, public settings, health',
  prepare: async (scene) =>
    flooding(
      scene,
      [
        { method: 'GET', path: `${API}/devices`, headers: { 'x-api-key': `${'a'.repeat(32)}:${'b'.repeat(43)}` } },
        { method: 'GET', path: `${API}/public-server-settings` },
        { method: 'GET', path: '/health' },
      ],
      400,
    ),
};

export const uploads: Attack = {
  title: '40 parallel uploads of 8 MiB that name their target last',
  prepare: async (scene) => {
    const { fleet } = scene;
    const file = `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'u'.repeat(UPLOAD_BYTES)}\r\n--x--\r\n`;
    const path = `${API}/device-file-system/upload/0199a000-0000-7000-8000-000000000001?tenantId=${fleet.tenantId}`;
    const headers = { 'x-api-key': fleet.apiKey, 'content-type': 'multipart/form-data; boundary=x' };
    return flooding(scene, [{ method: 'POST', path, headers, body: file }], 40);
  },
};

export const tenantDeletion: Attack = {
  title: `deletion of tenants with ${DELETED_DEVICES.toLocaleString('en-US')} devices`,
  prepare: async (scene) => {
    const { service } = scene;
    const apiKey = await createAdministrator(service.database);
    let from = FIRST_OTHER_DEVICE;
    const tenants: string[] = [];
    for (let number = 0; number < 2; number += 1, from += DELETED_DEVICES) {
      tenants.push(await createTenantWithDevices(service.database, from, DELETED_DEVICES));
    }
    return async () => {
      const tenant = tenants.pop();
      const deleted = fetch(`${service.url}${API}/tenants/${tenant}`, { method: 'DELETE', headers: { 'x-api-key': apiKey } });
      return {
        stop: async () => {
          const { ok } = await deleted;
          return { answered: ok ? 1 : 0, refused: ok ? 0 : 1, failed: 0 };
        },
      };
    };
  },
};

function pipelining(scene: Scene, bytes: number, connections: number): ReturnType<Attack['prepare']> {
  const load = scene.program<HttpAttackCalls>('loads/http-attack');
  return Promise.resolve(async () => {
    await load.call('pipeline', { url: scene.service.url, path: '/health', bytes, connections });
    return { stop: () => load.call('stop', undefined) };
  });
}

function flooding(scene: Scene, requests: readonly AttackRequest[], lanes: number): ReturnType<Attack['prepare']> {
  const load = scene.program<HttpAttackCalls>('loads/http-attack');
  return Promise.resolve(async () => {
    await load.call('flood', { url: scene.service.url, requests, lanes });
    return { stop: () => load.call('stop', undefined) };
  });
}

type Caller = Pick<Account, 'tenantId' | 'apiKey'>;

function requestOf({ tenantId, apiKey }: Caller, method: string, path: string, body?: object): AttackRequest {
  const headers = { 'x-api-key': apiKey, ...(body === undefined ? {} : JSON_TYPE) };
  return { method, path: `${API}${path}?tenantId=${tenantId}`, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

/** Makes something that an attack needs. */
async function call({ service }: Scene, caller: Caller, method: string, path: string, body: object): Promise<{ readonly id: string }> {
  const request = requestOf(caller, method, path, body);
  const answer = await fetch(`${service.url}${request.path}`, { method, headers: request.headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { readonly id: string };
}
