import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import { TextField } from '../../ui/field/Field.js';
import { t } from './texts.js';

/** Names of the address in the requests. */
export type AdministratorField = 'email' | 'administrator.email';

interface AdministratorEmailProps {
  readonly name: AdministratorField;
  readonly autoFocus?: boolean;
}

/** The address of a person who will administer a tenant. Says before it is filled in if the server sends no mail. */
export function AdministratorEmail({ name, autoFocus }: AdministratorEmailProps): ReactNode {
  const { server } = useSession();
  return (
    <TextField<AdministratorField>
      name={name}
      type="email"
      label={t('administrator-email')}
      hint={
        <>
          {t('administrator-email-hint')} {!server.isMailSent && t('administrator-no-mail')}
        </>
      }
      maxLength={256}
      required
      autoFocus={autoFocus}
      autoComplete="off"
    />
  );
}
