import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Scene } from '../../routes/scene.js';

/** Answers of routes that have nothing to tell here: no agent is published, and no release notes are stored. */
export const NOTHING_PUBLISHED = ['404 GET /api/v1/version/agent', '404 GET /api/v1/version/release-notes'];

/** Makes one object of each kind that has a page. The function that it returns puts them into the patterns of addresses. */
export async function addressesIn(scene: Scene): Promise<(pattern: string) => string> {
  const values = await valuesIn(scene);
  return (pattern) => {
    // The two kinds of service accounts have pages of one shape.
    const known = pattern.startsWith('/server/') ? { ...values, serviceAccountId: values.serverAccountId } : values;
    return pattern.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`Nothing stands for ${name} of ${pattern}: add it to valuesIn in addresses.ts.`);
      return value;
    });
  };
}

/** Returns the values that stand in addresses for the names in their patterns. */
async function valuesIn(scene: Scene): Promise<Record<string, string>> {
  const { device, group } = await scene.groupedDevice();
  const invited = await scene.server.client().post('/api/v1/invites', {
    query: { tenantId: scene.tenant.id },
    body: { inviteeEmail: `invited-${newGuid()}@example.org` },
  });
  const { inviteUrl } = invited.as<{ readonly inviteUrl: string }>();
  return {
    code: inviteUrl.slice(inviteUrl.lastIndexOf('/') + 1),
    customerId: device.customerId ?? '',
    deviceGroupId: group.id,
    deviceId: device.id,
    keyId: (await scene.installerKey()).id,
    serverAccountId: (await scene.serviceAccount(null)).id,
    serviceAccountId: (await scene.serviceAccount(scene.tenant.id)).id,
    tagId: (await scene.tag()).id,
    tenantId: scene.tenant.id,
    userGroupId: (await scene.userGroup()).id,
    userId: (await scene.user()).id,
    webhookId: (await scene.webhook()).id,
  };
}
