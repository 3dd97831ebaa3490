import { newGuid } from '../../../src/platform/common/identifiers/guid.js';

import type { Resource, ValidCall } from '../resource.js';

/** A registration with an unknown installer key. Agents authenticate with the key in the body. */
function register(): ValidCall {
  return { status: 400, body: { device: { id: newGuid() }, installerKeyId: newGuid(), installerKeySecret: 'unknown' } };
}

/** A platform that nothing is published for. */
function nothingPublished(): ValidCall {
  return { status: 404, path: { runtime: 'win-x86' } };
}

export const agents: Resource = {
  routes: {
    'POST /api/agent/devices': {
      access: 'anonymous',
      call: register,
    },
    'POST /api/devices': {
      access: 'anonymous',
      call: register,
    },
    'POST /api/agent/installer-keys/check': {
      access: 'anonymous',
      call: (): ValidCall => ({ status: 404, body: { installerKeyId: newGuid(), installerKeySecret: 'unknown' } }),
    },
    'GET /api/agent/updates/get-bundle-metadata/:runtime': {
      access: 'anonymous',
      cacheSeconds: 600,
      call: nothingPublished,
    },
    'GET /api/agent-update/get-bundle-metadata/:runtime': {
      access: 'anonymous',
      cacheSeconds: 600,
      call: nothingPublished,
    },
    'GET /downloads/:runtime/device-agent.json': {
      access: 'anonymous',
      call: nothingPublished,
    },
    'GET /downloads/*path': {
      access: 'anonymous',
      call: (): ValidCall => ({ status: 404, path: { path: 'linux-x64/ControlR.Agent.bundle.zip' } }),
    },
  },
};
