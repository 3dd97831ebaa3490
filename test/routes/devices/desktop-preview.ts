import { onDevice } from '../calls.js';
import type { Resource } from '../resource.js';

export const desktopPreview: Resource = {
  tag: 'DesktopPreview',
  routes: {
    'GET /api/v1/desktop-preview/:deviceId/:targetProcessId': {
      access: 'device.desktop-preview.read on device: path deviceId',
      tenant: 'query',
      answers: { 200: 'image/jpeg' },
      errors: [400, 403, 404, 408, 409, 503],
      call: onDevice({ path: { targetProcessId: '1' } }),
    },
  },
};
