import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const agentBundles: Resource = {
  routes: {
    'GET /account/agent-bundles': {
      access: `${Permission.AgentInstall.name} on tenant`,
      tenant: 'caller',
      call: answering(200),
    },
    'POST /account/agent-bundles/:platform/build': {
      access: 'server.settings.write on server',
      // The service of the tests runs without the compiled agent.
      call: answering(409, {
        path: { platform: 'linux-x64' },
        detail: 'This server cannot build agents: it runs without the sources. Publish bundles in downloads of its data folder instead.',
      }),
    },
  },
};
