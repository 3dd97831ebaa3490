import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { mailPasswordLink } from '../../api/people/sign-in.js';
import { Button } from '../../ui/button/Button.js';
import { TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { serverOfferQuery } from '../../api/people/registration.js';
import { ColumnFoot, ColumnHead } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';

type Field = keyof Schemas['EmailRequestDto'];

/** Asks for a link to choose a new password, if the server sends mail. The answer is the same with and without an account. */
export function ForgotPage(): ReactNode {
  const { data: offer } = useQuery(serverOfferQuery);
  const forgot = useMutation({ mutationFn: mailPasswordLink });
  if (forgot.isSuccess) return <ColumnHead title={t('forgot-sent-title')}>{t('forgot-sent-text', { email: forgot.variables })}</ColumnHead>;
  const isMailSent = offer?.isMailSent !== false;
  return (
    <>
      <ColumnHead title={t('forgot-title')}>{t(isMailSent ? 'forgot-text' : 'forgot-no-mail')}</ColumnHead>
      {isMailSent && (
        <Form<Field> error={forgot.error} onSubmit={({ email = '' }) => forgot.mutate(email)}>
          <TextField<Field> name="email" label={t('email')} type="email" autoComplete="username" required autoFocus />
          <Button type="submit" look="primary" wide busy={forgot.isPending}>
            {t('forgot-send')}
          </Button>
        </Form>
      )}
      <ColumnFoot>
        <Link to="/signin" className="link">
          {t('to-sign-in')}
        </Link>
      </ColumnFoot>
    </>
  );
}
