import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const serverAlert: Resource = {
  tag: 'ServerAlert',
  routes: {
    'GET /api/v1/server-alert': {
      access: 'authenticated',
      tagged: [200],
      answers: { 200: 'ServerAlertResponseDto' },
      errors: [404],
      call: answering(200),
    },
    'POST /api/v1/server-alert': {
      access: 'server.settings.write on server',
      body: 'ServerAlertRequestDto',
      tagged: [200],
      ifMatch: 'GET /api/v1/server-alert',
      answers: { 200: 'ServerAlertResponseDto' },
      errors: [400, 403],
      call: answering(200, {
        body: { message: 'A message', severity: 'Warning', isDismissable: true, isSticky: false, isEnabled: true },
      }),
      writes: ['server-alert-updated'],
    },
  },
  schemas: {
    MessageSeverity: ['Information', 'Warning', 'Error', 'Success'],
    ServerAlertRequestDto: {
      message: 'string, required',
      severity: 'MessageSeverity, required',
      isDismissable: 'boolean, required',
      isSticky: 'boolean, required',
      isEnabled: 'boolean, required',
    },
    ServerAlertResponseDto: {
      id: 'string(uuid) or null',
      message: 'string or null',
      severity: 'MessageSeverity',
      isDismissable: 'boolean',
      isSticky: 'boolean',
      isEnabled: 'boolean',
    },
  },
};
