import { about, onDevice } from '../calls.js';
import type { Resource } from '../resource.js';

export const deviceFiles: Resource = {
  routes: {
    'GET /account/device-files/:deviceId': {
      access: 'device.file-system.read on device: path deviceId',
      tenant: 'caller',
      call: about('deviceId', (scene) => scene.device())(200),
    },
    'POST /account/device-files/:deviceId/rename': {
      access: 'device.file-system.write on device: path deviceId',
      tenant: 'caller',
      call: onDevice({ body: { filePath: '/a', newName: 'b' } }),
    },
  },
};
