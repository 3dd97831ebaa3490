import { answering } from './calls.js';
import type { Resource } from './resource.js';

export const caller: Resource = {
  routes: {
    'GET /account/session': { access: 'authenticated', call: answering(200, { statusWithoutUser: 403 }) },
    'POST /account/device-permissions': {
      access: 'authenticated',
      call: async (scene) => ({ status: 200, body: { deviceIds: [(await scene.device()).id] } }),
    },
  },
};
