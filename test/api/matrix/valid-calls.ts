import { Permission, type PermissionDefinition } from '../../../src/authorization/permission.js';
import { newGuid } from '../../../src/common/guid.js';
import type { ApiAnswer } from '../../support/api-client.js';
import type { Scene } from './scene.js';

/** A call that succeeds for whoever may make it. Where the tenant stands in the request is known from the route. */
export interface ValidCall {
  /** What it answers. */
  readonly status: number;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the service asks for beside the permission that the route declares. */
  readonly also?: readonly PermissionDefinition[];
  /** What it answers to service accounts, where it needs a user. */
  readonly statusWithoutUser?: number;
  /** For routes that look at each device by itself: the device of the call, and those that an answer reaches. */
  readonly deviceId?: string;
  readonly reached?: (answer: ApiAnswer) => readonly string[];
}

/** Makes a call, with what it is about. */
export type MakeCall = (scene: Scene) => ValidCall | Promise<ValidCall>;

/** Devices are offline: whoever reaches one learns that. */
const OFFLINE = 409;

const answering =
  (status: number, call: Partial<ValidCall> = {}): MakeCall =>
  () => ({ status, ...call });

const onDevice =
  (call: Partial<ValidCall> = {}): MakeCall =>
  async (scene) => ({ status: OFFLINE, ...call, path: { ...call.path, deviceId: (await scene.device()).id } });

const onDeviceInBody =
  (body: object, status = OFFLINE): MakeCall =>
  async (scene) => ({ status, body: { ...body, deviceId: (await scene.device()).id } });

/** A new name, as bodies carry it. */
const named = (): { readonly name: string } => ({ name: `Name ${newGuid()}` });

interface WithId {
  readonly id: string;
}

const idsOf = (items: unknown): string[] => (items as readonly WithId[]).map(({ id }) => id);

/** A list of devices that has the device in it. */
const listing =
  (reached: (body: unknown) => readonly string[]): MakeCall =>
  async (scene) => ({ status: 200, deviceId: (await scene.device()).id, reached: ({ body }) => reached(body) });

/** The routes of service accounts, which the server and tenants have alike. */
function serviceAccountCalls(base: string, ownerOf: (scene: Scene) => string | null, created: object): Record<string, MakeCall> {
  const onAccount =
    (status: number, body?: () => object): MakeCall =>
    async (scene) => ({
      status,
      path: { serviceAccountId: (await scene.serviceAccount(ownerOf(scene))).id },
      ...(body === undefined ? {} : { body: body() }),
    });
  const onCredential =
    (revokedAt: Date | null): MakeCall =>
    async (scene) => {
      const { id: serviceAccountId } = await scene.serviceAccount(ownerOf(scene));
      const { id: credentialId } = await scene.credential(serviceAccountId, revokedAt);
      return { status: 204, path: { serviceAccountId, credentialId } };
    };
  const one = `${base}/:serviceAccountId`;
  return {
    [`POST ${base}`]: () => ({ status: 201, body: { ...named(), ...created } }),
    [`GET ${base}`]: answering(200),
    [`GET ${one}`]: onAccount(200),
    [`PUT ${one}`]: onAccount(200, () => ({ ...named(), isEnabled: true })),
    [`DELETE ${one}`]: onAccount(204),
    [`POST ${one}/credentials`]: onAccount(200, named),
    [`DELETE ${one}/credentials/:credentialId`]: onCredential(null),
    [`DELETE ${one}/credentials/:credentialId/purge`]: onCredential(new Date()),
  };
}

/** The routes of containers that have a name and can be made, listed, read, changed and deleted. */
function namedCalls(base: string, segment: string, make: (scene: Scene) => Promise<WithId>): Record<string, MakeCall> {
  const on =
    (status: number, body?: () => object): MakeCall =>
    async (scene) => ({ status, path: { [segment]: (await make(scene)).id }, ...(body === undefined ? {} : { body: body() }) });
  return {
    [`POST ${base}`]: () => ({ status: 201, body: named() }),
    [`GET ${base}`]: answering(200),
    [`GET ${base}/:${segment}`]: on(200),
    [`PUT ${base}/:${segment}`]: on(200, named),
    [`DELETE ${base}/:${segment}`]: on(204),
  };
}

/** An assignment of a permission that is harmless to a new user. */
async function assignmentInBody(scene: Scene): Promise<Record<string, unknown> & { readonly principalId: string }> {
  return {
    principalKind: 'User',
    principalId: (await scene.user()).id,
    permissionName: Permission.DeviceRead.name,
    effect: 'Allow',
    scopeKind: 'Device',
    scopeId: (await scene.device()).id,
    notes: 'A note',
    isEnabled: true,
  };
}

const BOUNDARY = 'boundary-of-the-form';
const FORM = [
  ['targetSaveDirectory', null, '/tmp'],
  ['overwrite', null, 'false'],
  ['file', 'a.txt', 'content'],
]
  .map(([name, file, text]) => {
    const fileName = file === null ? '' : `; filename="${file}"`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n${text}\r\n`;
  })
  .join('');

/** How to call each route, by method and path. A route that is missing here fails the matrix. */
export const validCalls: Readonly<Record<string, MakeCall>> = {
  'GET /health': answering(200),
  'GET /alive': answering(200),
  'GET /api-browser': answering(200),
  'GET /api-browser/v1': answering(200),
  'GET /api-browser/internal': answering(200),
  'GET /api-browser/assets/start.js': answering(200),
  'GET /api-browser/assets/:name': answering(200, { path: { name: 'swagger-ui.css' } }),
  'GET /openapi/v1.json': answering(200),
  'GET /openapi/internal.json': answering(200),

  'GET /api/v1/authorization-change-logs': answering(200, { query: { actionType: 'a', searchText: 'b', page: '0', pageSize: '10' } }),
  'GET /api/v1/authorization-change-logs/server': answering(200),

  ...namedCalls('/api/v1/customers', 'customerId', (scene) => scene.customer()),
  'POST /api/v1/customers/:customerId/devices': async (scene) => ({
    status: 204,
    path: { customerId: (await scene.customer()).id },
    body: { deviceIds: [(await scene.device()).id], removeDeviceIds: [] },
    also: [Permission.DeviceRead],
  }),

  'GET /api/v1/deployment-options': answering(200),
  'POST /api/v1/deployment-options/tag-capability': async (scene) => ({
    status: 200,
    body: { deviceId: (await scene.device()).id, customerId: (await scene.customer()).id },
  }),

  'GET /api/v1/desktop-preview/:deviceId/:targetProcessId': onDevice({ path: { targetProcessId: '1' } }),

  'POST /api/v1/device-file-system/contents': onDeviceInBody({ directoryPath: '/' }),
  'POST /api/v1/device-file-system/path-segments': onDeviceInBody({ targetPath: '/' }),
  'POST /api/v1/device-file-system/root-drives': onDeviceInBody({}),
  'POST /api/v1/device-file-system/subdirectories': onDeviceInBody({ directoryPath: '/' }),
  'POST /api/v1/device-file-system/validate-path/:deviceId': onDevice({ body: { directoryPath: '/', fileName: 'a' } }),
  'POST /api/v1/device-file-system/create-directory/:deviceId': onDevice({ body: { parentPath: '/', directoryName: 'a' } }),
  'POST /api/v1/device-file-system/upload/:deviceId': onDevice({
    body: `${FORM}--${BOUNDARY}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }),
  'GET /api/v1/device-file-system/download/:deviceId': onDevice({ query: { filePath: '/a' } }),
  'POST /api/v1/device-file-system/download-archive/:deviceId': onDevice({ body: { archiveFileName: 'a', targetPaths: ['/a'] } }),
  'DELETE /api/v1/device-file-system/delete-path/:deviceId': onDevice({ body: { filePath: '/a' } }),
  'GET /api/v1/device-file-system/logs/:deviceId': onDevice(),
  'GET /api/v1/device-file-system/logs/:deviceId/contents': onDevice({ query: { filePath: '/a' } }),

  ...namedCalls('/api/v1/device-groups', 'deviceGroupId', (scene) => scene.deviceGroup()),
  'POST /api/v1/device-groups/:deviceGroupId/members': async (scene) => ({
    status: 204,
    path: { deviceGroupId: (await scene.deviceGroup()).id },
    body: { deviceIds: [(await scene.device()).id] },
    also: [Permission.DeviceRead],
  }),
  'DELETE /api/v1/device-groups/:deviceGroupId/members': async (scene) => ({
    status: 204,
    path: { deviceGroupId: (await scene.deviceGroup()).id },
    body: { deviceIds: [(await scene.device()).id] },
  }),

  'POST /api/v1/device-tags': async (scene) => ({
    status: 204,
    body: { deviceId: (await scene.device()).id, tagId: (await scene.tag()).id },
  }),
  'DELETE /api/v1/device-tags/:deviceId/:tagId': async (scene) => {
    const { device, tag } = await scene.taggedDevice();
    return { status: 204, path: { deviceId: device.id, tagId: tag.id } };
  },

  'GET /api/v1/devices': listing(idsOf),
  'GET /api/v1/devices/summary': listing(idsOf),
  'POST /api/v1/devices/search': async (scene) => {
    const { device, tag } = await scene.taggedDevice();
    return {
      status: 200,
      body: {
        searchText: 'device',
        filterDefinitions: [{ propertyName: 'name', operator: 'contains', value: 'device' }],
        sortDefinitions: [{ propertyName: 'lastSeen', descending: true, sortOrder: 1 }],
        tagIds: [tag.id],
        customerIds: [device.customerId],
        page: 0,
        pageSize: 10,
      },
      deviceId: device.id,
      reached: ({ body }) => idsOf((body as { readonly items: unknown }).items),
    };
  },
  'POST /api/v1/devices/delete-many': async (scene) => {
    const { id } = await scene.device();
    return {
      status: 200,
      body: { deviceIds: [id] },
      deviceId: id,
      reached: ({ body }) => (body as { readonly successIds: readonly string[] }).successIds,
    };
  },
  'GET /api/v1/devices/:deviceId': onDevice({ status: 200 }),
  'GET /api/v1/devices/:deviceId/desktop-sessions': onDevice(),
  'PATCH /api/v1/devices/:deviceId/alias': async (scene) => {
    const { id: deviceId } = await scene.device();
    return { status: 200, path: { deviceId }, body: { deviceId, alias: 'An alias' } };
  },
  'DELETE /api/v1/devices/:deviceId': onDevice({ status: 204 }),

  'GET /api/v1/effective-permissions/:principalId': async (scene) => ({
    status: 200,
    path: { principalId: (await scene.user()).id },
    query: {
      principalKind: 'User',
      permissionName: Permission.DeviceRead.name,
      scopeKind: 'Device',
      scopeId: (await scene.device()).id,
    },
  }),
  'GET /api/v1/effective-user-preferences': answering(200),

  'POST /api/v1/installer-keys': answering(200, { body: { keyType: 'UsageBased', allowedUses: 1, friendlyName: 'A key' } }),
  'GET /api/v1/installer-keys': answering(200),
  'GET /api/v1/installer-keys/:keyId/usages': async (scene) => ({ status: 200, path: { keyId: (await scene.installerKey()).id } }),
  'PUT /api/v1/installer-keys/:keyId': async (scene) => ({
    status: 204,
    path: { keyId: (await scene.installerKey()).id },
    body: { friendlyName: 'Renamed' },
  }),
  'DELETE /api/v1/installer-keys/:keyId': async (scene) => ({ status: 204, path: { keyId: (await scene.installerKey()).id } }),

  'POST /api/v1/invites': () => ({ status: 201, body: { inviteeEmail: `${newGuid()}@example.org` } }),
  'GET /api/v1/invites': answering(200),
  'DELETE /api/v1/invites/:inviteId': async (scene) => ({ status: 204, path: { inviteId: (await scene.invite()).id } }),

  'POST /api/v1/logon-tokens/user': async (scene) => ({
    status: 200,
    body: { deviceId: (await scene.device()).id, userId: (await scene.user()).id, expirationMinutes: 5 },
  }),
  'POST /api/v1/logon-tokens/external': onDeviceInBody({ userCorrelationId: 'person-1', userDisplayName: 'Someone' }, 200),

  'GET /api/v1/permission-assignments': async (scene) => ({
    status: 200,
    query: { principalKind: 'User', principalId: (await scene.user()).id },
  }),
  'GET /api/v1/permission-assignments/catalog': answering(200),
  'GET /api/v1/permission-assignments/presets': answering(200),
  'POST /api/v1/permission-assignments': async (scene) => ({ status: 201, body: await assignmentInBody(scene) }),
  'POST /api/v1/permission-assignments/batch': async (scene) => ({
    status: 204,
    body: { assignments: [await assignmentInBody(scene)] },
  }),
  'POST /api/v1/permission-assignments/batch-delete': async (scene) => ({
    status: 200,
    body: { assignmentIds: [(await scene.assignment()).id] },
  }),
  'POST /api/v1/permission-assignments/presets/apply': async (scene) => ({
    status: 200,
    body: { principalKind: 'User', principalId: (await scene.user()).id, presetNames: ['Agent Installer'], replaceExisting: false },
  }),
  'POST /api/v1/permission-assignments/replace': async (scene) => {
    const assignment = await assignmentInBody(scene);
    return { status: 204, body: { principalKind: 'User', principalId: assignment.principalId, assignments: [assignment] } };
  },
  'PUT /api/v1/permission-assignments/:assignmentId': async (scene) => {
    const { principalKind: _kind, principalId: _id, ...values } = await assignmentInBody(scene);
    return { status: 200, path: { assignmentId: (await scene.assignment()).id }, body: values };
  },
  'DELETE /api/v1/permission-assignments/:assignmentId': async (scene) => ({
    status: 204,
    path: { assignmentId: (await scene.assignment()).id },
  }),

  'POST /api/v1/personal-access-tokens': () => ({ status: 201, body: named(), statusWithoutUser: 403 }),
  'GET /api/v1/personal-access-tokens': answering(200, { statusWithoutUser: 403 }),
  'PUT /api/v1/personal-access-tokens/:id': async (scene) => ({
    status: 200,
    path: { id: (await scene.ownPersonalAccessToken()).id },
    body: named(),
    statusWithoutUser: 403,
  }),
  'DELETE /api/v1/personal-access-tokens/:id': async (scene) => ({
    status: 204,
    path: { id: (await scene.ownPersonalAccessToken()).id },
    statusWithoutUser: 403,
  }),

  'GET /api/v1/public-server-settings': answering(200),

  'GET /api/v1/server-alert': answering(200),
  'POST /api/v1/server-alert': answering(200, {
    body: { message: 'A message', severity: 'Warning', isDismissable: true, isSticky: false, isEnabled: true },
  }),
  'GET /api/v1/server-logs/get-aspire-url': answering(200),

  ...serviceAccountCalls('/api/v1/server-service-accounts', () => null, { accessMode: 'Restricted' }),
  'GET /api/v1/server-stats': answering(200),

  ...namedCalls('/api/v1/tags', 'tagId', (scene) => scene.tag()),

  ...serviceAccountCalls('/api/v1/tenant-service-accounts/:tenantId', ({ tenant }) => tenant.id, {}),

  'GET /api/v1/tenant-settings': answering(200),
  'GET /api/v1/tenant-settings/:settingName': answering(204, { path: { settingName: 'instance-id' } }),
  'POST /api/v1/tenant-settings': answering(200, { body: { name: 'notify-user-on-session-start', value: 'true' } }),
  'PUT /api/v1/tenant-settings': answering(200, { body: { appendInstanceId: null, instanceId: null, notifyUserOnSessionStart: true } }),
  'DELETE /api/v1/tenant-settings/:settingName': answering(204, { path: { settingName: 'instance-id' } }),

  'POST /api/v1/tenants': () => ({ status: 201, body: named() }),
  'GET /api/v1/tenants': answering(200),
  'GET /api/v1/tenants/:tenantId': async (scene) => ({ status: 200, path: { tenantId: (await scene.anotherTenant()).id } }),
  'PUT /api/v1/tenants/:tenantId': async (scene) => ({
    status: 200,
    path: { tenantId: (await scene.anotherTenant()).id },
    body: named(),
  }),
  'DELETE /api/v1/tenants/:tenantId': async (scene) => ({ status: 204, path: { tenantId: (await scene.anotherTenant()).id } }),

  'POST /api/v1/test-email': answering(200, { statusWithoutUser: 400 }),

  ...namedCalls('/api/v1/user-groups', 'userGroupId', (scene) => scene.userGroup()),
  'POST /api/v1/user-groups/:userGroupId/members': async (scene) => ({
    status: 204,
    path: { userGroupId: (await scene.userGroup()).id },
    body: { userIds: [(await scene.user()).id] },
  }),
  'DELETE /api/v1/user-groups/:userGroupId/members': async (scene) => ({
    status: 204,
    path: { userGroupId: (await scene.userGroup()).id },
    body: { userIds: [(await scene.user()).id] },
  }),

  'GET /api/v1/user-preferences': answering(200),
  'GET /api/v1/user-preferences/:name': answering(204, { path: { name: 'user-display-name' } }),
  'POST /api/v1/user-preferences': answering(200, { body: { name: 'view-mode', value: 'Fit' } }),
  'PUT /api/v1/user-preferences': answering(200, { body: { manualQuality: 50, viewMode: 'Fit', userDisplayName: 'Someone' } }),

  'GET /api/v1/user-server-settings/file-upload-max-size': answering(200),
  'GET /api/v1/user-server-settings/decommission-status': answering(200),

  'POST /api/v1/user-storage': answering(200, { body: { key: 'a-key', value: 'A value' } }),
  'GET /api/v1/user-storage/:key': answering(204, { path: { key: 'another-key' } }),
  'DELETE /api/v1/user-storage/:key': async (scene) => ({ status: 204, path: { key: (await scene.storageItem()).key } }),

  'POST /api/v1/users': () => ({ status: 201, body: { userName: `${newGuid()}@example.org` } }),
  'GET /api/v1/users': answering(200),
  'DELETE /api/v1/users/:userId': async (scene) => ({ status: 204, path: { userId: (await scene.user()).id } }),
  'POST /api/v1/users/:userId/reset-password': async (scene) => ({ status: 200, path: { userId: (await scene.user()).id } }),
  'POST /api/v1/users/:userId/personal-access-tokens': async (scene) => ({
    status: 201,
    path: { userId: (await scene.user()).id },
    body: named(),
  }),
  'GET /api/v1/users/:userId/personal-access-tokens': async (scene) => ({ status: 200, path: { userId: (await scene.user()).id } }),
  'PUT /api/v1/users/:userId/personal-access-tokens/:tokenId': async (scene) => {
    const { id: userId } = await scene.user();
    return { status: 200, path: { userId, tokenId: (await scene.personalAccessToken(userId)).id }, body: named() };
  },
  'DELETE /api/v1/users/:userId/personal-access-tokens/:tokenId': async (scene) => {
    const { id: userId } = await scene.user();
    return { status: 204, path: { userId, tokenId: (await scene.personalAccessToken(userId)).id } };
  },

  'GET /api/v1/version/agent': answering(404),
  'GET /api/v1/version/server': answering(200),
  'GET /api/v1/version/release-notes': answering(404),

  // Agents authenticate with an installer key in the body: one that is not known.
  'POST /api/agent/devices': () => registration(),
  'POST /api/devices': () => registration(),
};

function registration(): ValidCall {
  return { status: 400, body: { device: { id: newGuid() }, installerKeyId: newGuid(), installerKeySecret: 'unknown' } };
}
