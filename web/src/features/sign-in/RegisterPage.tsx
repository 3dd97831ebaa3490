import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { renewSession } from '../../access/session.js';
import { register as sendRegistration } from '../../api/people/sign-in.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { NewPasswordField } from '../../parts/sign-in/NewPasswordField.js';
import { registrationQuery, serverOfferQuery } from '../../api/people/registration.js';
import { FirstAdministrator, isWithoutUsers } from './first-administrator.js';
import { ColumnFoot, ColumnHead } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';

type Field = keyof Schemas['RegisterRequestDto'];

/** Registers an account, if registration is open: the first one of a server administers it. */
export function RegisterPage(): ReactNode {
  const { data: offer } = useSuspenseQuery(registrationQuery);
  const { data: server } = useSuspenseQuery(serverOfferQuery);
  const router = useRouter();
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const register = useMutation({
    async mutationFn(body: { readonly email: string; readonly password: string }) {
      if ((await sendRegistration(body)) === 'EmailConfirmationRequired') return setMailedTo(body.email);
      await renewSession();
      await router.navigate({ to: offer.isFirstUser ? '/welcome' : '/devices', replace: true });
    },
  });
  if (mailedTo !== null)
    return <ColumnHead title={t('register-mailed-title')}>{t('register-mailed-text', { email: mailedTo })}</ColumnHead>;
  if (isWithoutUsers(offer)) return <FirstAdministrator />;
  const isBlocked = offer.isMailNeeded && !server.isMailSent;
  if (!offer.isOpen || isBlocked) {
    return (
      <>
        <ColumnHead title={t('register-closed-title')}>{t(isBlocked ? 'register-no-mail' : 'register-closed-text')}</ColumnHead>
        <LinkButton to="/signin">{t('to-sign-in')}</LinkButton>
      </>
    );
  }
  return (
    <>
      <ColumnHead title={offer.isFirstUser ? t('register-first-title') : t('register-title')}>
        {offer.isFirstUser ? t('register-first-text') : undefined}
      </ColumnHead>
      <Form<Field> error={register.error} onSubmit={({ email = '', password = '' }) => register.mutate({ email, password })}>
        <TextField<Field> name="email" label={t('email')} type="email" autoComplete="username" required autoFocus />
        <NewPasswordField<Field> name="password" label={t('password')} />
        <Button type="submit" look="primary" wide busy={register.isPending}>
          {t('register')}
        </Button>
      </Form>
      {!offer.isFirstUser && (
        <ColumnFoot>
          <Link to="/signin" className="link">
            {t('to-sign-in')}
          </Link>
        </ColumnFoot>
      )}
      {offer.isFirstUser && <Banner>{t('register-first-hint')}</Banner>}
    </>
  );
}
