import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { resetPassword } from '../../api/people/sign-in.js';
import { Button } from '../../ui/button/Button.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { mailedCode } from './mailed-code.js';
import { NewPasswordField } from '../../parts/sign-in/NewPasswordField.js';
import { ColumnHead } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';

type Field = keyof Schemas['ResetPasswordRequestDto'];

/** Chooses a new password with the code of a mail. */
export function ResetPage(): ReactNode {
  const code = mailedCode(useLocation().hash);
  const reset = useMutation({ mutationFn: (newPassword: string) => resetPassword(code ?? '', newPassword) });
  if (reset.isSuccess) {
    return (
      <>
        <ColumnHead title={t('reset-done-title')}>{t('reset-done-text')}</ColumnHead>
        <LinkButton to="/signin" look="primary">
          {t('sign-in')}
        </LinkButton>
      </>
    );
  }
  if (code === null) {
    return (
      <>
        <ColumnHead title={t('link-incomplete-title')}>{t('link-incomplete-text')}</ColumnHead>
        <LinkButton to="/forgot">{t('forgot-send')}</LinkButton>
      </>
    );
  }
  return (
    <>
      <ColumnHead title={t('reset-title')} />
      <Form<Field> error={reset.error} onSubmit={({ newPassword = '' }) => reset.mutate(newPassword)}>
        <NewPasswordField<Field> name="newPassword" label={t('new-password')} autoFocus />
        <Button type="submit" look="primary" wide busy={reset.isPending}>
          {t('reset-set')}
        </Button>
      </Form>
    </>
  );
}
