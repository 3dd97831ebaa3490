import type { ReactNode } from 'react';

import { RevokeDialog } from '../../ui/confirm/RevokeDialog.js';
import { withdrawInvite } from '../../api/people/invites.js';
import type { OpenInvite } from './ResendInvite.js';
import { t } from '../../parts/users/texts.js';

interface WithdrawInviteProps {
  /** Null keeps the dialog closed. */
  readonly invite: OpenInvite | null;
  readonly onClose: () => void;
}

/** Takes an invitation back, and deletes the account that waits for it. */
export const WithdrawInvite = ({ invite, onClose }: WithdrawInviteProps): ReactNode => (
  <RevokeDialog
    subject={invite}
    onClose={onClose}
    title={({ inviteeEmail }) => t('withdraw-title', { name: inviteeEmail })}
    text={() => t('withdraw-text')}
    action={() => t('withdraw')}
    act={({ id }) => withdrawInvite(id)}
  />
);
