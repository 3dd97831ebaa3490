import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import { OWN_TENANT_NAME, type TenantField } from '../../parts/tenants/tenant-name.js';
import { classes } from '../../ui/classes.js';
import { StoredForm } from '../../ui/edit/StoredForm.js';
import { TextField } from '../../ui/field/Field.js';
import frame from '../../ui/frames/Panel.module.css';
import { toast } from '../../ui/toast/toasts.js';
import css from './SettingsPage.module.css';
import { t } from './texts.js';

/** The name of the tenant. The session is read again after a change, so that the bar shows it at once. */
export function TenantName({ mayWrite }: { readonly mayWrite: boolean }): ReactNode {
  const { tenant } = useSession();
  const field = (name: string | undefined): ReactNode => (
    <TextField<TenantField>
      name="name"
      label={t('tenant-name')}
      hint={t('tenant-name-hint')}
      defaultValue={name}
      maxLength={100}
      required
      disabled={!mayWrite}
      autoComplete="organization"
    />
  );
  return (
    <section className={classes(frame.panel, css.panel)} aria-labelledby="settings-tenant">
      <h2 id="settings-tenant">{t('tenant')}</h2>
      {mayWrite ? (
        <StoredForm
          name={tenant.name ?? t('tenant-name')}
          of={OWN_TENANT_NAME}
          labelOf={() => t('tenant-name')}
          action={t('tenant-name-save')}
          look="plain"
          onSaved={({ now }) => toast(t('tenant-named', { name: now.value.name ?? '' }))}
        >
          {({ name }) => field(name)}
        </StoredForm>
      ) : (
        field(tenant.name ?? '')
      )}
    </section>
  );
}
