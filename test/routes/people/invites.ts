import { newGuid } from '../../../src/platform/common/identifiers/guid.js';

import { about, answering } from '../calls.js';
import type { Resource } from '../resource.js';

const onInvite = about('inviteId', (scene) => scene.invite());

export const invites: Resource = {
  tag: 'Invites',
  routes: {
    'POST /api/v1/invites': {
      access: 'tenant.users.write on tenant',
      tenant: 'query',
      body: 'CreateInviteRequestDto',
      answers: { 201: 'InviteResponseDto' },
      errors: [400, 403, 409],
      call: () => ({ status: 201, body: { inviteeEmail: `${newGuid()}@example.org` } }),
      writes: ['invite-created', 'permission-assignments-seeded', 'user-created'],
    },
    'GET /api/v1/invites': {
      access: 'tenant.users.read on tenant',
      tenant: 'query',
      answers: { 200: 'InvitesResponseDto' },
      errors: [400, 403],
      call: answering(200),
    },
    'DELETE /api/v1/invites/:inviteId': {
      access: 'tenant.users.write on tenant',
      tenant: 'query',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404],
      call: onInvite(204),
      writes: ['invite-deleted', 'user-deleted'],
    },
  },
  schemas: {
    CreateInviteRequestDto: { inviteeEmail: 'string(email), required' },
    InviteResponseDto: { id: 'string(uuid)', createdAt: 'string(date-time)', inviteeEmail: 'string', inviteUrl: 'string' },
    InvitesResponseDto: { items: 'list of InviteResponseDto' },
  },
};
