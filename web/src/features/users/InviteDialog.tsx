import { type ReactNode, useState } from 'react';

import { useSession } from '../../access/session.js';
import { formatInstant } from '../../i18n/format.js';
import { SecretDialog } from '../../ui/copy/SecretDialog.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { type Invited, InviteForm } from '../../parts/users/InviteForm.js';
import { RefusedPermissions } from '../../parts/users/RefusedPermissions.js';
import { t } from '../../parts/users/texts.js';

interface InviteDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Invites a user, and shows the link of the invitation this once. */
export function InviteDialog({ open, onClose }: InviteDialogProps): ReactNode {
  const { server } = useSession();
  const [invited, setInvited] = useState<Invited | null>(null);
  return (
    <>
      <Dialog open={open} onClose={onClose} title={t('invite-title')} description={t('invite-text')}>
        {open && <InviteForm leave={t('cancel')} onLeave={onClose} onInvited={setInvited} onFinished={onClose} />}
      </Dialog>
      <SecretDialog
        title={t('invited-title')}
        description={t('invited-text')}
        label={t('invite-link')}
        value={invited?.url ?? null}
        onClose={() => setInvited(null)}
      >
        {invited !== null && (
          <>
            <p>{t(server.isMailSent ? 'invited-mailed' : 'invited-not-mailed', { email: invited.email })}</p>
            <p>{t('invited-expires', { time: formatInstant(invited.expiresAt) })}</p>
            <RefusedPermissions of={invited} />
          </>
        )}
      </SecretDialog>
    </>
  );
}
