import { DomainError, ErrorCode, forbidden, unauthorized } from '../../platform/common/errors/errors.js';
import type { Account } from '../users/accounts.js';

/** One sentence for an unknown name and for a wrong password, so that it does not tell which names exist. */
const WRONG = 'The e-mail address or the password is wrong.';

/** Sentence for a suspended user who has proved to be there. Others are not told. */
export const SUSPENDED = 'This account is suspended. Ask an administrator to let you back in.';

/** 403 for a suspended user who has proved to be there. */
export function suspended(): Error {
  return forbidden(SUSPENDED);
}

/**
 * Checks in the transaction that opens a session that the account is as it was when its user proved to be there: another password, or
 * two-factor sign-in, must end sign-ins that are under way, as it ends sessions. 401.
 */
export function requireUnchanged({ securityStamp }: Pick<Account, 'securityStamp'>, provenStamp: string): void {
  if (securityStamp !== provenStamp) throw unauthorized('The account was changed at the same time. Sign in again.');
}

/** 401 for a check that was not accepted; a lock-out says how long it lasts. */
export function refusedIdentity(
  outcome: { readonly kind: 'Refused' } | { readonly kind: 'LockedOut'; readonly until: Date },
  now: number,
): Error {
  if (outcome.kind === 'Refused') return unauthorized(WRONG);
  const seconds = Math.max(1, Math.ceil((outcome.until.getTime() - now) / 1000));
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return new DomainError(ErrorCode.Unauthorized, `Too many attempts failed. Try again in ${wait}.`, undefined, {
    'Retry-After': String(seconds),
  });
}
