import { about, answering } from '../calls.js';
import type { Resource } from '../resource.js';

/* The account API follows no contract: these rows name the permitted callers. */

const onUser = about('userId', (scene) => scene.user());
const onInvite = about('inviteId', (scene) => scene.invite());

const HOUR_MS = 3_600_000;

export const userStanding: Resource = {
  routes: {
    'GET /account/users': {
      access: 'tenant.users.read on tenant',
      tenant: 'query',
      call: answering(200),
    },
    'PUT /account/users/:userId/suspension': {
      access: 'tenant.users.write on tenant',
      tenant: 'query',
      call: onUser(204),
      writes: ['user-suspended'],
    },
    'DELETE /account/users/:userId/suspension': {
      access: 'tenant.users.write on tenant',
      tenant: 'query',
      call: async (scene) => ({ status: 204, path: { userId: (await scene.suspendedUser()).id } }),
      writes: ['user-suspension-lifted'],
    },
    'POST /account/invites/:inviteId/resend': {
      access: 'tenant.users.write on tenant',
      tenant: 'query',
      call: onInvite(200, () => ({ lifetimeDays: 3 })),
      writes: ['invite-renewed'],
    },
    'PUT /account/invites/:inviteId/expiry': {
      access: 'tenant.users.write on tenant',
      tenant: 'query',
      call: onInvite(204, () => ({ expiresAt: new Date(Date.now() + HOUR_MS).toISOString() })),
      writes: ['invite-expiry-changed'],
    },
  },
};
