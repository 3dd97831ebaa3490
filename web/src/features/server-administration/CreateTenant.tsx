import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { type AdministratorInvitation, createTenant } from '../../api/tenants/tenants.js';
import { permissionName } from '../../i18n/permission-names.js';
import { Button } from '../../ui/button/Button.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { useSend } from '../../ui/dialog/use-send.js';
import { TextField } from '../../ui/field/Field.js';
import { Form, type FormValues } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { toast } from '../../ui/toast/toasts.js';
import { AdministratorEmail, type AdministratorField } from './AdministratorEmail.js';
import { AdministratorLink } from './AdministratorLink.js';
import { t } from './texts.js';

type Field = 'name' | AdministratorField;

interface CreateTenantProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Creates a tenant, and invites its first administrator unless told otherwise. */
export function CreateTenant({ open, onClose }: CreateTenantProps): ReactNode {
  const [invitation, setInvitation] = useState<AdministratorInvitation | null>(null);
  return (
    <>
      <Dialog open={open} onClose={onClose} title={t('tenant-create')}>
        {open && <CreateForm onInvited={setInvitation} onClose={onClose} />}
      </Dialog>
      <AdministratorLink invitation={invitation} onClose={() => setInvitation(null)} />
    </>
  );
}

interface CreateFormProps {
  readonly onInvited: (invitation: AdministratorInvitation) => void;
  readonly onClose: () => void;
}

function CreateForm({ onInvited, onClose }: CreateFormProps): ReactNode {
  const mayInvite = useCan('server.permissions.write');
  const [start, setStart] = useState<'now' | 'later'>('now');
  const invites = mayInvite && start === 'now';
  const { send, isSending, error } = useSend(async ({ name = '', 'administrator.email': email = '' }: FormValues<Field>) => {
    const invitation = await createTenant(name, invites ? email : null);
    toast(t('tenant-created', { name }));
    if (invitation !== null) onInvited(invitation);
  }, onClose);
  return (
    <Form<Field> error={error} onSubmit={send}>
      <TextField<Field> name="name" label={t('name')} maxLength={100} required autoFocus autoComplete="off" />
      {mayInvite ? (
        <RadioGroup
          label={t('administrator')}
          value={start}
          onValueChange={setStart}
          options={[
            { value: 'now', label: t('administrator-invite') },
            { value: 'later', label: t('administrator-later'), hint: t('administrator-later-hint') },
          ]}
        />
      ) : (
        <p className="muted">{t('administrator-none-granted', { permission: permissionName('server.permissions.write') })}</p>
      )}
      {invites && <AdministratorEmail name="administrator.email" />}
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={isSending}>
          {t('create')}
        </Button>
      </FormActions>
    </Form>
  );
}
