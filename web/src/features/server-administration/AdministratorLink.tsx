import type { ReactNode } from 'react';

import type { AdministratorInvitation } from '../../api/tenants/tenants.js';
import { formatInstant } from '../../i18n/format.js';
import { SecretDialog } from '../../ui/copy/SecretDialog.js';
import { t } from './texts.js';

interface AdministratorLinkProps {
  /** The new invitation; null keeps the dialog closed. Hold it nowhere else. */
  readonly invitation: AdministratorInvitation | null;
  readonly onClose: () => void;
}

/** Shows the link of an administrator's invitation this once, and says if it was mailed and when it expires. */
export function AdministratorLink({ invitation, onClose }: AdministratorLinkProps): ReactNode {
  return (
    <SecretDialog
      title={t('administrator-invited')}
      description={invitation === null ? undefined : t('administrator-invited-text', { email: invitation.email })}
      label={t('invitation-link')}
      value={invitation?.inviteUrl ?? null}
      onClose={onClose}
    >
      {invitation !== null && (
        <p>
          {t(invitation.isMailSent ? 'administrator-mailed' : 'administrator-unmailed', {
            email: invitation.email,
            time: formatInstant(invitation.expiresAt),
          })}
        </p>
      )}
    </SecretDialog>
  );
}
