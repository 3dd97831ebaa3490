import { CalendarClock, KeyRound, Send, Trash2, UserCheck, UserX } from 'lucide';

import { liftSuspension, type Standing } from '../../api/people/user-standing.js';
import { nameOf, type User } from '../../api/people/users.js';
import { t } from '../../parts/users/texts.js';
import type { MenuAct } from '../../ui/menu/entries.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { t as standingText } from './standing-texts.js';

/** Acts on a user that open a dialog. */
export type UserAct = 'delete' | 'expiry' | 'resend' | 'reset' | 'suspend' | 'withdraw';

/** Rights of the caller that decide which acts are offered. */
export interface UserRights {
  /** The caller's own id. */
  readonly self: string;
  readonly mayWrite: boolean;
  readonly mayDelete: boolean;
}

/** The acts on a user whose standing is known. Those on an invited one are about the invitation. */
export function actsOn(
  user: User,
  standing: Standing | undefined,
  { self, mayWrite, mayDelete }: UserRights,
  choose: (act: UserAct) => void,
): (MenuAct | null)[] {
  const isSelf = user.id === self;
  if (standing !== undefined && standing.invite !== null) {
    if (!mayWrite) return [];
    return [
      { label: standingText('resend'), icon: Send, onSelect: () => choose('resend') },
      { label: standingText('expiry'), icon: CalendarClock, onSelect: () => choose('expiry') },
      null,
      { label: t('withdraw'), icon: Trash2, danger: true, onSelect: () => choose('withdraw') },
    ];
  }
  const isSuspended = standing?.state === 'Suspended';
  return [
    ...(mayWrite ? [{ label: t('reset'), icon: KeyRound, onSelect: () => choose('reset') }] : []),
    ...(mayWrite && isSuspended ? [{ label: standingText('lift'), icon: UserCheck, onSelect: () => void lift(user) }] : []),
    ...(mayWrite && !isSuspended
      ? [
          {
            label: standingText('suspend'),
            icon: UserX,
            disabled: isSelf,
            hint: isSelf ? standingText('suspend-self') : undefined,
            onSelect: () => choose('suspend'),
          },
        ]
      : []),
    ...(mayWrite && mayDelete ? [null] : []),
    ...(mayDelete
      ? [
          {
            label: t('delete'),
            icon: Trash2,
            danger: true,
            disabled: isSelf,
            hint: isSelf ? t('delete-self') : undefined,
            onSelect: () => choose('delete'),
          },
        ]
      : []),
  ];
}

/** Lets a user sign in again at once: that takes nothing away. */
async function lift(user: User): Promise<void> {
  try {
    await liftSuspension(user.id);
    toast(standingText('lifted', { name: nameOf(user) }));
  } catch (error) {
    toastProblem(error);
  }
}
