import type { ReactNode } from 'react';

import type { Standing } from '../../api/people/user-standing.js';
import type { User } from '../../api/people/users.js';
import { DeleteUser } from './DeleteUser.js';
import { InviteExpiry } from './InviteExpiry.js';
import { ResendInvite } from './ResendInvite.js';
import { ResetPassword } from './ResetPassword.js';
import { SuspendUser } from './SuspendUser.js';
import type { UserAct } from './user-acts.js';
import { WithdrawInvite } from './WithdrawInvite.js';

/** A user and the act that was chosen for it. */
export interface ChosenAct {
  readonly act: UserAct;
  readonly user: User;
  readonly standing: Standing | undefined;
}

export interface UserDialogsProps {
  /** Null keeps all dialogs closed. */
  readonly chosen: ChosenAct | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** The dialogs of the acts on a user, all closed but the chosen one. */
export function UserDialogForms({ chosen, onClose, onDeleted }: UserDialogsProps): ReactNode {
  const userFor = (act: UserAct): User | null => (chosen?.act === act ? chosen.user : null);
  const inviteFor = (act: UserAct) => {
    const invite = chosen?.act === act ? chosen.standing?.invite : undefined;
    return invite === undefined || invite === null || chosen === null ? null : { ...invite, inviteeEmail: chosen.user.email ?? '' };
  };
  return (
    <>
      <SuspendUser user={userFor('suspend')} onClose={onClose} />
      <ResetPassword user={userFor('reset')} onClose={onClose} />
      <DeleteUser user={userFor('delete')} onClose={onClose} onDeleted={onDeleted} />
      <ResendInvite invite={inviteFor('resend')} onClose={onClose} />
      <InviteExpiry invite={inviteFor('expiry')} onClose={onClose} />
      <WithdrawInvite invite={inviteFor('withdraw')} onClose={onClose} />
    </>
  );
}
