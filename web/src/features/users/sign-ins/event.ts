import type { SignInEvent } from '../../../api/people/user-standing.js';
import account from '../../../i18n/en/account.json' with { type: 'json' };
import { textsOf } from '../../../i18n/t.js';
import { t } from '../standing-texts.js';

/** The names of events and methods are those of a user's own security log. */
const accountText = textsOf('account', account);

const METHODS = ['Bearer', 'External', 'Invite', 'LogonToken', 'Passkey', 'Password', 'Registration'] as const;

/** An event of the log in words: empty texts where there is nothing to say. */
export interface EventInWords {
  readonly event: string;
  readonly isRefusal: boolean;
  readonly method: string;
  readonly reason: string;
}

/** An entry of the sign-in log in words. The service's own words for methods and reasons stand in `detail`. */
export function inWords({ kind, detail }: Pick<SignInEvent, 'kind' | 'detail'>): EventInWords {
  const event = accountText(`event-${kind}`);
  const none = { event, isRefusal: false, method: '', reason: '' };
  if (kind === 'LockedOut') return { ...none, isRefusal: true, reason: t('reason-locked') };
  if (kind === 'SignedIn') {
    const method = METHODS.find((each) => each === detail);
    return { ...none, method: method === undefined ? (detail ?? '') : accountText(`method-${method}`) };
  }
  if (kind === 'SignInFailed' || kind === 'ProofFailed') return { ...none, isRefusal: true, ...refusal(detail ?? '') };
  return { ...none, reason: detail ?? '' };
}

function refusal(detail: string): Pick<EventInWords, 'method' | 'reason'> {
  switch (detail) {
    case 'wrong password':
      return { method: accountText('method-Password'), reason: t('reason-wrong-password') };
    case 'wrong code':
      return { method: t('method-code'), reason: t('reason-wrong-code') };
    case 'suspended':
      return { method: '', reason: t('reason-suspended') };
    default:
      return detail.startsWith('passkey')
        ? { method: accountText('method-Passkey'), reason: t('reason-passkey') }
        : { method: '', reason: detail };
  }
}
