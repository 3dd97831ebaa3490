import type { ReactNode } from 'react';

import { suspendUser } from '../../api/people/user-standing.js';
import { nameOf, type User } from '../../api/people/users.js';
import { RevokeDialog } from '../../ui/confirm/RevokeDialog.js';
import { toast } from '../../ui/toast/toasts.js';
import { t } from './standing-texts.js';

interface SuspendUserProps {
  /** Null keeps the dialog closed. */
  readonly user: User | null;
  readonly onClose: () => void;
}

/** Suspends a user after a question. */
export const SuspendUser = ({ user, onClose }: SuspendUserProps): ReactNode => (
  <RevokeDialog
    subject={user}
    onClose={onClose}
    title={(shown) => t('suspend-title', { name: nameOf(shown) })}
    text={() => t('suspend-text')}
    action={() => t('suspend')}
    act={({ id }) => suspendUser(id)}
    onDone={(shown) => toast(t('suspended', { name: nameOf(shown) }))}
  />
);
