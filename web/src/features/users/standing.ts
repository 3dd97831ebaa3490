import type { Standing } from '../../api/people/user-standing.js';
import type { User } from '../../api/people/users.js';
import { formatDate, formatInstant, formatRelative, formatTime } from '../../i18n/format.js';
import { nameOf } from '../../model/user-name.js';
import { t } from './standing-texts.js';

export const STATES = ['Active', 'Invited', 'Unconfirmed', 'Locked', 'Suspended', 'Visitor'] as const;

/** Second factors that a list can be narrowed down to. */
export const FACTORS = ['app', 'passkey', 'none'] as const;

export type Factor = (typeof FACTORS)[number];

/** Parts of the address of the list, as they stand there: a state or a factor that is not known matches nobody. */
export interface UserFilters {
  readonly q?: string;
  readonly standing?: string;
  readonly factor?: string;
}

const DAY = 86_400_000;

/** The second factors of a user; `none` for one who signs in with a password only. Visitors sign in with links, which ask for none. */
export function factorsOf({ state, hasAuthenticatorApp, hasPasskey }: Standing): Factor[] {
  if (state === 'Visitor') return [];
  const factors: Factor[] = [];
  if (hasAuthenticatorApp) factors.push('app');
  if (hasPasskey) factors.push('passkey');
  return factors.length === 0 ? ['none'] : factors;
}

/** Checks that a list with these filters shows a user. A user whose standing is not known passes no filter by it. */
export function matchesFilters(user: User, standing: Standing | undefined, { q = '', standing: state, factor }: UserFilters): boolean {
  if (state !== undefined && standing?.state !== state) return false;
  if (factor !== undefined && (standing === undefined || !factorsOf(standing).some((each) => each === factor))) return false;
  const text = q.toLowerCase();
  return [nameOf(user), user.userName, user.email].some((value) => value?.toLowerCase().includes(text));
}

/** The time since or until which a state lasts; null if it has none. */
export function stateDetail(standing: Standing, now: number): string | null {
  const { state, suspendedAt, lockedUntil, visitEnds, invite } = standing;
  const isOver = (instant: string): boolean => Date.parse(instant) <= now;
  switch (state) {
    case 'Suspended':
      return suspendedAt === null ? null : t('suspended-since', { time: formatDate(suspendedAt) });
    case 'Locked':
      return lockedUntil === null ? null : t('locked-until', { time: soon(lockedUntil, now) });
    case 'Invited':
      if (invite === null) return null;
      return t(isOver(invite.expiresAt) ? 'invitation-expired' : 'invitation-expires', { when: formatRelative(invite.expiresAt, now) });
    case 'Visitor':
      if (visitEnds === null) return t('visit-over');
      return isOver(visitEnds)
        ? t('visit-ended', { when: formatRelative(visitEnds, now) })
        : t('visit-until', { time: soon(visitEnds, now) });
    case 'Active':
    case 'Unconfirmed':
      return null;
  }
}

/** A time within a day as the time of day, others with their date. */
const soon = (instant: string, now: number): string =>
  Math.abs(Date.parse(instant) - now) < DAY ? formatTime(instant) : formatInstant(instant);
