import { type ReactNode, useState } from 'react';

import { type AdministratorInvitation, inviteAdministrator, type Tenant } from '../../api/tenants/tenants.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import { AdministratorEmail, type AdministratorField } from './AdministratorEmail.js';
import { AdministratorLink } from './AdministratorLink.js';
import { t } from './texts.js';

interface InviteAdministratorProps {
  /** A tenant without users; null keeps the dialog closed. */
  readonly tenant: Tenant | null;
  readonly nameOf: (tenant: Tenant) => string;
  readonly onClose: () => void;
}

/** Invites the first administrator of a tenant that has none, and shows the link this once. */
export function InviteAdministrator({ tenant, nameOf, onClose }: InviteAdministratorProps): ReactNode {
  const [invitation, setInvitation] = useState<AdministratorInvitation | null>(null);
  return (
    <>
      <FormDialog<Tenant, AdministratorField>
        subject={tenant}
        onClose={onClose}
        title={(subject) => t('administrator-invite-title', { name: nameOf(subject) })}
        action={() => t('invite')}
        act={async ({ id }, { email = '' }) => setInvitation(await inviteAdministrator(id, email))}
      >
        {() => <AdministratorEmail name="email" autoFocus />}
      </FormDialog>
      <AdministratorLink invitation={invitation} onClose={() => setInvitation(null)} />
    </>
  );
}
