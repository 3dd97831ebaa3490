import type { Invite } from './invite.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Time within which an invite can be accepted. */
export const INVITE_LIFETIME_MS = 7 * DAY_MS;

/**
 * Checks that the activation code of an invite is still valid at a time (milliseconds since 1970). Like other secrets, a code is shown
 * once, when it is made, and only its hash is stored.
 */
export function isActivatable({ createdAt }: Pick<Invite, 'createdAt'>, now: number): boolean {
  return now < expiryOf({ createdAt }).getTime();
}

/** Returns the time at which the activation code of an invite stops working. */
export function expiryOf({ createdAt }: Pick<Invite, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + INVITE_LIFETIME_MS);
}
