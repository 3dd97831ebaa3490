import { INVITE_PAGE } from '../common/invite-page.js';
import type { Invite } from './invite.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long an invitee has to accept. */
export const INVITE_LIFETIME_MS = 7 * DAY_MS;

/**
 * Whether an invite's activation code is still good at a time (milliseconds since 1970).
 *
 * Codes are kept readable, unlike other secrets, because whoever may invite can look the link up again; what they give away
 * is bounded instead: they end with this lifetime, work with the invited address only, and open an account that may do
 * nothing but serve itself unless somebody gave it more.
 */
export function isActivatable({ createdAt }: Pick<Invite, 'createdAt'>, now: number): boolean {
  return now < createdAt.getTime() + INVITE_LIFETIME_MS;
}

/** Where an invitee sets a password; the code is left out for those who may not hand it on, and when it is no longer good. */
export function inviteUrl(publicAddress: string, activationCode: string | null): string {
  const page = `${publicAddress}${INVITE_PAGE}`;
  return activationCode === null ? page : `${page}/${activationCode}`;
}
