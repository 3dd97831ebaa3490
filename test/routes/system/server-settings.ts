import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const serverSettings: Resource = {
  routes: {
    'GET /account/server-settings': { access: 'server.settings.write on server', call: answering(200) },
    'GET /account/server-health': { access: 'server.settings.write on server', call: answering(200) },
    'GET /account/server-nodes': { access: 'server.settings.write on server', call: answering(200) },
    'POST /account/server-health': { access: 'server.settings.write on server', call: answering(200) },
  },
};
