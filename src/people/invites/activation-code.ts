import type { Invite } from './invite.entity.js';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Time within which an invite can be accepted, unless it has a time of its own. */
export const INVITE_LIFETIME_MS = 7 * DAY_MS;

type Dated = Pick<Invite, 'createdAt' | 'expiresAt'>;

/**
 * Checks that the activation code of an invite is still valid at a time (milliseconds since 1970). Like other secrets, a code is shown
 * once, when it is made, and only its hash is stored.
 */
export function isActivatable(invite: Dated, now: number): boolean {
  return now < expiryOf(invite).getTime();
}

/** Returns the time at which the activation code of an invite stops working. */
export function expiryOf({ createdAt, expiresAt }: Dated): Date {
  return expiresAt ?? new Date(createdAt.getTime() + INVITE_LIFETIME_MS);
}
