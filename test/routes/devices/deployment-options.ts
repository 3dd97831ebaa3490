import { answering } from '../calls.js';
import type { Resource } from '../resource.js';

export const deploymentOptions: Resource = {
  tag: 'DeploymentOptions',
  routes: {
    'GET /api/v1/deployment-options': {
      access: 'agent.install on tenant',
      tenant: 'query',
      answers: { 200: 'DeploymentOptionsDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'POST /api/v1/deployment-options/tag-capability': {
      access: 'agent.install on tenant',
      tenant: 'query',
      body: 'DeploymentTagCapabilityRequestDto',
      answers: { 200: 'DeploymentTagCapabilityResponseDto' },
      errors: [400, 403],
      call: async (scene) => ({
        status: 200,
        body: { deviceId: (await scene.device()).id, customerId: (await scene.customer()).id },
      }),
    },
  },
  schemas: {
    DeploymentOptionsDto: { appendInstanceId: 'boolean', instanceId: 'string or null' },
    DeploymentTagCapabilityRequestDto: { deviceId: 'string(uuid) or null', customerId: 'string(uuid) or null' },
    DeploymentTagCapabilityResponseDto: { allowed: 'boolean' },
  },
};
