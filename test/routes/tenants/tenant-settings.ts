import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const tenantSettings: Resource = {
  tag: 'TenantSettings',
  routes: {
    'GET /api/v1/tenant-settings': {
      access: 'tenant.settings.read on tenant',
      tenant: 'query',
      tagged: [200],
      answers: { 200: 'TenantSettingsDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/tenant-settings/:settingName': {
      access: 'tenant.settings.read on tenant',
      tenant: 'query',
      tagged: [200, 204],
      answers: { 200: 'TenantSettingResponseDto', 204: 'nothing' },
      errors: [400, 403, 404],
      call: answering(204, { path: { settingName: 'append-instance-id' } }),
    },
    'POST /api/v1/tenant-settings': {
      access: 'tenant.settings.write on tenant',
      tenant: 'query',
      body: 'TenantSettingRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/tenant-settings/:settingName',
      answers: { 200: 'TenantSettingResponseDto' },
      errors: [400, 403, 404],
      call: answering(200, { body: { name: 'notify-user-on-session-start', value: 'true' } }),
      writes: ['tenant-setting-created'],
    },
    'PUT /api/v1/tenant-settings': {
      access: 'tenant.settings.write on tenant',
      tenant: 'query',
      body: 'TenantSettingsDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/tenant-settings',
      answers: { 200: 'TenantSettingsDto' },
      errors: [400, 403, 404],
      call: async (scene) => {
        await scene.tenantSetting('instance-id', 'one');
        return { status: 200, body: { appendInstanceId: null, instanceId: 'another', notifyUserOnSessionStart: true } };
      },
      writes: ['tenant-setting-updated'],
    },
    'DELETE /api/v1/tenant-settings/:settingName': {
      access: 'tenant.settings.write on tenant',
      tenant: 'query',
      ifMatch: 'GET /api/v1/tenant-settings/:settingName',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: async (scene) => {
        await scene.tenantSetting('instance-id', 'one');
        return { status: 204, path: { settingName: 'instance-id' } };
      },
      writes: ['tenant-setting-deleted'],
    },
  },
  schemas: {
    TenantSettingRequestDto: { name: 'string, required', value: 'string, required' },
    TenantSettingResponseDto: { id: 'string(uuid) or null', name: 'string', value: 'string or null' },
    TenantSettingsDto: { appendInstanceId: 'boolean or null', instanceId: 'string or null', notifyUserOnSessionStart: 'boolean or null' },
  },
};
