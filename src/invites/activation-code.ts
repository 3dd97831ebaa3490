import { INVITE_PAGE } from '../common/invite-page.js';
import type { Invite } from './invite.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long an invite can be accepted. */
export const INVITE_LIFETIME_MS = 7 * DAY_MS;

/**
 * Whether the activation code of an invite is still valid at a time (milliseconds since 1970).
 *
 * Unlike other secrets, codes are stored in readable form, so that callers who may invite can look up the link again.
 * The risk is limited: a code expires, works with the invited address only, and opens an account that has only the Self
 * Service permissions unless somebody granted it more.
 */
export function isActivatable({ createdAt }: Pick<Invite, 'createdAt'>, now: number): boolean {
  return now < createdAt.getTime() + INVITE_LIFETIME_MS;
}

/** The page on which an invitee sets a password. Null omits the code: for callers who may not pass it on, and for an expired code. */
export function inviteUrl(publicAddress: string, activationCode: string | null): string {
  const page = `${publicAddress}${INVITE_PAGE}`;
  return activationCode === null ? page : `${page}/${activationCode}`;
}
