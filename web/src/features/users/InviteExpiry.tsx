import { type ReactNode, useState } from 'react';

import { setInviteExpiry } from '../../api/people/user-standing.js';
import type { Schemas } from '../../model/schemas.js';
import { DateTime } from '../../ui/date-time/DateTime.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import type { OpenInvite } from './ResendInvite.js';
import { t } from './standing-texts.js';

type Field = keyof Schemas['InviteExpiryRequestDto'];

/** An invitation with the time at which its link stops working. */
export type ExpiringInvite = OpenInvite & { readonly expiresAt: string };

interface InviteExpiryProps {
  /** Null keeps the dialog closed. */
  readonly invite: ExpiringInvite | null;
  readonly onClose: () => void;
}

/** Changes when the link of an invitation stops working. */
export function InviteExpiry({ invite, onClose }: InviteExpiryProps): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <FormDialog<ExpiringInvite, Field>
      subject={invite}
      onClose={() => {
        setChosen(null);
        onClose();
      }}
      title={({ inviteeEmail }) => t('expiry-title', { name: inviteeEmail })}
      description={() => t('expiry-text')}
      action={() => t('save')}
      act={({ id, expiresAt }) => setInviteExpiry(id, chosen ?? expiresAt)}
    >
      {({ expiresAt }) => <DateTime<Field> name="expiresAt" label={t('expires')} value={expiresAt} onValueChange={setChosen} required />}
    </FormDialog>
  );
}
