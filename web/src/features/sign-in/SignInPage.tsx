import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { localPath } from '../../access/guards.js';
import { renewSession } from '../../access/session.js';
import { api, bodyOf } from '../../api/client.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { PasswordField, TextField } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { registrationQuery } from './queries.js';
import { ColumnFoot, ColumnHead } from './SignedOutLayout.js';
import { SecondFactor } from './SecondFactor.js';
import { t } from './texts.js';

const route = getRouteApi('/_signed-out/signin');

/** What the second step repeats of the first one. */
export interface Credentials {
  readonly userName: string;
  readonly password: string;
  readonly isPersistent: boolean;
}

/** Signs in with a password, and then with a second factor where the account asks for it. */
export function SignInPage(): ReactNode {
  const { next } = route.useSearch();
  const router = useRouter();
  const [asksForCode, setAsksForCode] = useState<Credentials | null>(null);

  const enter = async (mustChangePassword: boolean): Promise<void> => {
    await renewSession();
    if (mustChangePassword) await router.navigate({ to: '/password-change-required', replace: true });
    else await router.navigate({ href: localPath(next), replace: true });
  };

  if (asksForCode !== null) return <SecondFactor credentials={asksForCode} onSignedIn={enter} onBack={() => setAsksForCode(null)} />;
  return <FirstFactor onCodeNeeded={setAsksForCode} onSignedIn={enter} />;
}

interface FirstFactorProps {
  readonly onCodeNeeded: (credentials: Credentials) => void;
  readonly onSignedIn: (mustChangePassword: boolean) => Promise<void>;
}

function FirstFactor({ onCodeNeeded, onSignedIn }: FirstFactorProps): ReactNode {
  const { data: registration } = useQuery(registrationQuery);
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const signIn = useMutation({
    async mutationFn(credentials: Credentials) {
      const { outcome, mustChangePassword } = await bodyOf(api.POST('/account/sign-in', { body: credentials }));
      if (outcome === 'TwoFactorRequired') onCodeNeeded(credentials);
      else if (outcome === 'EmailConfirmationRequired') setUnconfirmed(credentials.userName);
      else await onSignedIn(mustChangePassword);
    },
  });
  return (
    <>
      <ColumnHead title={t('title')} />
      {unconfirmed !== null && <Banner look="warn">{t('confirm-first', { email: unconfirmed })}</Banner>}
      <Form
        error={signIn.error}
        onSubmit={(values) =>
          signIn.mutate({
            userName: values.userName,
            password: values.password,
            isPersistent: values.isPersistent === 'on',
          })
        }
      >
        <TextField name="userName" label={t('email')} type="email" autoComplete="username webauthn" required autoFocus />
        <PasswordField name="password" label={t('password')} autoComplete="current-password" required />
        <label className="row">
          <input type="checkbox" name="isPersistent" />
          {t('stay-signed-in')}
        </label>
        <Button type="submit" look="primary" wide busy={signIn.isPending}>
          {t('sign-in')}
        </Button>
      </Form>
      <ColumnFoot>
        <Link to="/forgot" className="link">
          {t('forgot')}
        </Link>
        {registration?.isOpen === true && (
          <Link to="/register" className="link">
            {t('register')}
          </Link>
        )}
      </ColumnFoot>
    </>
  );
}
