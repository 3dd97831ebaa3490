import { DeviceActivityKind } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { about, answering, newName, onDevice } from '../calls.js';
import type { Resource } from '../resource.js';

const onDeviceGroup = about('deviceGroupId', (scene) => scene.deviceGroup());
const onKey = about('keyId', (scene) => scene.installerKey());
const onField = about('fieldId', (scene) => scene.deviceField());

/** The routes about what people write about devices; they are described apart from those of version 1. */
export const inventory: Resource = {
  routes: {
    'GET /api/inventory/fields': { access: 'authenticated', tenant: 'query', call: answering(200) },
    'GET /api/inventory/fields/:fieldId': { access: 'authenticated', tenant: 'query', tagged: [200], call: onField(200) },
    'POST /api/inventory/fields': {
      access: 'tenant.settings.write on tenant',
      tenant: 'query',
      tagged: [201],
      call: async (scene) => {
        await scene.roomForDeviceField();
        return { status: 201, body: { ...newName(), type: 'Text', isListed: true } };
      },
      writes: ['device-field-created'],
    },
    'PUT /api/inventory/fields/:fieldId': {
      access: 'tenant.settings.write on tenant',
      tenant: 'query',
      tagged: [200],
      ifMatch: 'GET /api/inventory/fields/:fieldId',
      call: onField(200, newName),
      writes: ['device-field-updated'],
    },
    'DELETE /api/inventory/fields/:fieldId': {
      access: 'tenant.settings.write on tenant',
      tenant: 'query',
      ifMatch: 'GET /api/inventory/fields/:fieldId',
      call: onField(204),
      writes: ['device-field-deleted'],
    },
    'POST /api/inventory/devices/values': {
      access: 'device.read on device scope',
      call: async (scene) => {
        const { id } = await scene.device();
        return {
          status: 200,
          body: { deviceIds: [id] },
          deviceId: id,
          reached: ({ body }) =>
            (body as { readonly items: readonly { readonly deviceId: string }[] }).items.map(({ deviceId }) => deviceId),
        };
      },
    },
    'GET /api/inventory/devices/:deviceId/inventory': {
      access: 'device.overview.read on device: path deviceId',
      call: onDevice({ status: 200 }),
    },
    'POST /api/inventory/devices/:deviceId/inventory/refresh': {
      access: 'device.overview.read on device: path deviceId',
      call: onDevice(),
    },
    'GET /api/inventory/devices/:deviceId/sessions': {
      access: 'device.overview.read on device: path deviceId',
      call: onDevice({ status: 200 }),
    },
    'DELETE /api/inventory/devices/:deviceId/sessions/:sessionId': {
      access: 'device.power.manage on device: path deviceId',
      call: async (scene) => {
        const { id: sessionId, deviceId } = await scene.runningSession();
        return { status: 204, path: { deviceId: deviceId ?? '', sessionId } };
      },
      writes: ['device-session-ended'],
    },
    'PUT /api/inventory/devices/:deviceId/recordings/:sessionId': {
      access: 'device.remote-control.connect on device: path deviceId',
      call: async (scene) => {
        const { deviceId, subject } = await scene.ownSession();
        return { status: 204, path: { deviceId: deviceId ?? '', sessionId: subject ?? '' } };
      },
      writes: ['device-session-recording-started'],
    },
    'DELETE /api/inventory/devices/:deviceId/recordings/:sessionId': {
      access: 'device.remote-control.connect on device: path deviceId',
      call: async (scene) => {
        const { deviceId, subject } = await scene.ownSession(DeviceActivityKind.Recording);
        return { status: 204, path: { deviceId: deviceId ?? '', sessionId: subject ?? '' } };
      },
      writes: ['device-session-recording-finished'],
    },
    'GET /api/inventory/devices/:deviceId/notes': {
      access: 'device.read on device: path deviceId',
      tagged: [200],
      call: onDevice({ status: 200 }),
    },
    'PATCH /api/inventory/devices/:deviceId/notes': {
      access: 'device.alias.write on device: path deviceId',
      tagged: [200],
      ifMatch: 'GET /api/inventory/devices/:deviceId/notes',
      call: onDevice({ status: 200, body: { note: 'A note' } }),
      writes: ['device-notes-updated'],
    },
    'GET /api/inventory/device-groups/:deviceGroupId/notes': {
      access: 'tenant.device-groups.read on tenant',
      tenant: 'query',
      tagged: [200],
      call: onDeviceGroup(200),
    },
    'PUT /api/inventory/device-groups/:deviceGroupId/notes': {
      access: 'tenant.device-groups.write on tenant',
      tenant: 'query',
      tagged: [200],
      ifMatch: 'GET /api/inventory/device-groups/:deviceGroupId/notes',
      call: onDeviceGroup(200, () => ({ notes: 'A note' })),
      writes: ['device-group-notes-updated'],
    },
    'GET /api/inventory/installer-keys/:keyId/customer': {
      access: 'installer-key.read on tenant',
      tenant: 'query',
      tagged: [200],
      call: onKey(200),
    },
    'PUT /api/inventory/installer-keys/:keyId/customer': {
      access: 'tenant.customers.write on tenant',
      tenant: 'query',
      tagged: [200],
      ifMatch: 'GET /api/inventory/installer-keys/:keyId/customer',
      call: async (scene) => ({
        status: 200,
        path: { keyId: (await scene.installerKey()).id },
        body: { customerId: (await scene.customer()).id },
      }),
      writes: ['installer-key-customer-changed'],
    },
  },
};
