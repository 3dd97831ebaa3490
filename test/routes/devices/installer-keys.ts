import { about, answering } from '../calls.js';
import type { Resource } from '../resource.js';

const onKey = about('keyId', (scene) => scene.installerKey());

export const installerKeys: Resource = {
  tag: 'InstallerKeys',
  routes: {
    'POST /api/v1/installer-keys': {
      access: 'installer-key.write on tenant',
      tenant: 'body',
      body: 'CreateInstallerKeyRequestDto',
      answers: { 200: 'CreateInstallerKeyResponseDto' },
      errors: [400, 403],
      call: answering(200, { body: { keyType: 'UsageBased', allowedUses: 1, friendlyName: 'A key' } }),
      writes: ['installer-key-created'],
    },
    'GET /api/v1/installer-keys': {
      access: 'installer-key.read on tenant',
      tenant: 'query',
      answers: { 200: 'InstallerKeysResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'GET /api/v1/installer-keys/:keyId/usages': {
      access: 'installer-key.read on tenant',
      tenant: 'query',
      answers: { 200: 'InstallerKeyUsagesResponseDto' },
      errors: [400, 403, 404],
      call: onKey(200),
    },
    'PUT /api/v1/installer-keys/:keyId': {
      access: 'installer-key.write on tenant',
      tenant: 'query',
      body: 'RenameInstallerKeyRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onKey(204, () => ({ friendlyName: 'Renamed' })),
      writes: ['installer-key-updated'],
    },
    'DELETE /api/v1/installer-keys/:keyId': {
      access: 'installer-key.write on tenant',
      tenant: 'query',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onKey(204),
      writes: ['installer-key-deleted'],
    },
  },
  schemas: {
    CreateInstallerKeyRequestDto: {
      tenantId: 'string(uuid), required',
      keyType: 'InstallerKeyType, required',
      friendlyName: 'string or null',
      allowedUses: 'integer(int32) or null minimum=0',
      expiration: 'string(date-time) or null',
    },
    CreateInstallerKeyResponseDto: {
      id: 'string(uuid)',
      creatorId: 'string(uuid)',
      keyType: 'InstallerKeyType',
      keySecret: 'string',
      createdAt: 'string(date-time)',
      allowedUses: 'integer(int32) or null',
      expiration: 'string(date-time) or null',
      friendlyName: 'string or null',
    },
    InstallerKeyDto: {
      id: 'string(uuid)',
      creatorId: 'string(uuid)',
      creatorName: 'string or null',
      keyType: 'InstallerKeyType',
      createdAt: 'string(date-time)',
      allowedUses: 'integer(int32) or null',
      expiration: 'string(date-time) or null',
      friendlyName: 'string or null',
      usageCount: 'integer(int32)',
    },
    InstallerKeyType: ['Unknown', 'UsageBased', 'TimeBased', 'Persistent'],
    InstallerKeyUsageDto: {
      id: 'string(uuid)',
      deviceId: 'string(uuid)',
      timestamp: 'string(date-time)',
      remoteIpAddress: 'string or null',
    },
    InstallerKeyUsagesResponseDto: { items: 'list of InstallerKeyUsageDto' },
    InstallerKeysResponseDto: { items: 'list of InstallerKeyDto' },
    RenameInstallerKeyRequestDto: { friendlyName: 'string minLength=1 maxLength=100, required' },
  },
};
