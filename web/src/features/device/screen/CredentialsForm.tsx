import type { RfbCredentials } from '@novnc/novnc';
import type { ReactNode } from 'react';

import { t } from '../../../live/sessions/screen/texts.js';
import { Button } from '../../../ui/button/Button.js';
import { TextField } from '../../../ui/field/Field.js';
import { Form } from '../../../ui/form/Form.js';
import css from './ScreenPanel.module.css';

interface CredentialsFormProps {
  readonly types: readonly (keyof RfbCredentials)[];
  readonly onSignIn: (credentials: RfbCredentials) => void;
}

/** Form for the credentials that the VNC server asks for. They go through the relay to that server and are stored nowhere. */
export function CredentialsForm({ types, onSignIn }: CredentialsFormProps): ReactNode {
  return (
    <Form<keyof RfbCredentials> className={css.credentials} onSubmit={onSignIn}>
      <h2>{t('credentials')}</h2>
      {types.map((type, index) => (
        <TextField<keyof RfbCredentials>
          key={type}
          name={type}
          label={t(type)}
          type={type === 'password' ? 'password' : 'text'}
          autoComplete="off"
          autoFocus={index === 0}
          required
        />
      ))}
      <Button type="submit" look="primary">
        {t('sign-in')}
      </Button>
    </Form>
  );
}
