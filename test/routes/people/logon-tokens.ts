import { onDeviceInBody } from '../calls.js';
import type { Resource } from '../resource.js';

export const logonTokens: Resource = {
  tag: 'LogonTokens',
  routes: {
    'POST /api/v1/logon-tokens/user': {
      access: 'device.logon-token.create on device: body deviceId',
      tenant: 'body',
      body: 'CreateLogonTokenForUserRequestDto',
      answers: { 200: 'LogonTokenResponseDto' },
      errors: [400, 403],
      call: async (scene) => ({
        status: 200,
        body: { deviceId: (await scene.device()).id, userId: (await scene.user()).id, expirationMinutes: 5 },
      }),
      writes: ['logon-token-created', 'permission-assignment-created'],
    },
    'POST /api/v1/logon-tokens/external': {
      access: 'device.logon-token.create on device: body deviceId',
      tenant: 'body',
      body: 'CreateLogonTokenForExternalRequestDto',
      answers: { 200: 'LogonTokenResponseDto' },
      errors: [400, 403],
      call: onDeviceInBody({ userCorrelationId: 'person-1', userDisplayName: 'Someone' }, 200),
      writes: ['logon-token-created', 'permission-assignment-created', 'user-created'],
    },
  },
  schemas: {
    CreateLogonTokenForExternalRequestDto: {
      deviceId: 'string(uuid), required',
      tenantId: 'string(uuid), required',
      userCorrelationId: 'string maxLength=252, required',
      userDisplayName: 'string or null maxLength=50',
      sessionCorrelationId: 'string or null maxLength=128',
      expirationMinutes: 'integer(int32) minimum=1 maximum=1440',
      permissions: 'list of string or null maxItems=100',
      allowedDesktopSessionIds: 'list of integer(int32) or null maxItems=32',
      sessionExpirationMinutes: 'integer(int32) minimum=5 maximum=1440',
    },
    CreateLogonTokenForUserRequestDto: {
      deviceId: 'string(uuid), required',
      tenantId: 'string(uuid), required',
      userId: 'string(uuid), required',
      sessionCorrelationId: 'string or null maxLength=128',
      expirationMinutes: 'integer(int32) minimum=1 maximum=1440',
      permissions: 'list of string or null maxItems=100',
      allowedDesktopSessionIds: 'list of integer(int32) or null maxItems=32',
      sessionExpirationMinutes: 'integer(int32) minimum=5 maximum=1440',
    },
    LogonTokenResponseDto: { deviceAccessUrl: 'string', expiresAt: 'string(date-time)', token: 'string' },
  },
};
