import { type ReactNode, useState } from 'react';

import { useSession } from '../../access/session.js';
import type { Invite } from '../../api/people/invites.js';
import { type ResentInvite, resendInvite } from '../../api/people/user-standing.js';
import { formatInstant } from '../../i18n/format.js';
import { RevokeDialog } from '../../ui/confirm/RevokeDialog.js';
import { SecretDialog } from '../../ui/copy/SecretDialog.js';
import { t } from './standing-texts.js';

/** An invitation, as far as its dialogs need it. */
export type OpenInvite = Pick<Invite, 'id' | 'inviteeEmail'>;

interface ResendInviteProps {
  /** Null keeps the question closed. */
  readonly invite: OpenInvite | null;
  readonly onClose: () => void;
}

/** Sends an invitation again after a question, and shows the new link this once. */
export function ResendInvite({ invite, onClose }: ResendInviteProps): ReactNode {
  const { server } = useSession();
  const [resent, setResent] = useState<(ResentInvite & { readonly email: string }) | null>(null);
  return (
    <>
      <RevokeDialog
        subject={invite}
        onClose={onClose}
        title={({ inviteeEmail }) => t('resend-title', { name: inviteeEmail })}
        text={() => `${t('resend-text')}${server.isMailSent ? '' : ` ${t('resend-no-mail')}`}`}
        action={() => t('resend')}
        act={async ({ id, inviteeEmail }) => setResent({ ...(await resendInvite(id)), email: inviteeEmail })}
      />
      <SecretDialog
        title={t('resent-title')}
        description={
          resent === null
            ? undefined
            : t(resent.isMailSent ? 'resent-mailed' : 'resent-unmailed', { email: resent.email, time: formatInstant(resent.expiresAt) })
        }
        label={t('invite-link')}
        value={resent?.inviteUrl ?? null}
        onClose={() => setResent(null)}
      />
    </>
  );
}
