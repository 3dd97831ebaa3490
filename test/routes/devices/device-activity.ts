import { about } from '../calls.js';
import type { Resource } from '../resource.js';

const onDevice = about('deviceId', (scene) => scene.device());

export const deviceActivity: Resource = {
  routes: {
    'GET /account/device-activity/:deviceId': { access: 'device.logs.read on device: path deviceId', call: onDevice(200) },
    'GET /account/device-activity/:deviceId/export': { access: 'device.logs.read on device: path deviceId', call: onDevice(200) },
    'GET /account/device-activity/:deviceId/people': { access: 'device.logs.read on device: path deviceId', call: onDevice(200) },
  },
};
