import type { Invite } from './invite.entity.js';

/** The state of an invite as the change log records it. */
export function stateOf({ inviteeEmail, userId, createdAt }: Invite): object {
  return { inviteeEmail, userId, createdAt };
}
