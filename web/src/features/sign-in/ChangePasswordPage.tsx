import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { localPath } from '../../access/guards.js';
import { renewSession } from '../../access/session.js';
import { changePassword } from '../../api/people/account.js';
import { signOut as sendSignOut } from '../../api/people/sign-in.js';
import { Button } from '../../ui/button/Button.js';
import { PasswordField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { NewPasswordField } from '../../parts/sign-in/NewPasswordField.js';
import { ColumnFoot, ColumnHead } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';

type Field = keyof Schemas['ChangePasswordRequestDto'];

const route = getRouteApi('/_signed-out/password-change-required');

/** Replaces a temporary password: until then nothing else can be reached. Then it leads to where the user was going. */
export function ChangePasswordPage(): ReactNode {
  const { next } = route.useSearch();
  const router = useRouter();
  const change = useMutation({
    async mutationFn(body: { readonly currentPassword: string; readonly newPassword: string }) {
      await changePassword(body);
      await renewSession();
      await router.navigate({ href: localPath(next), replace: true });
    },
  });
  const signOut = useMutation({
    async mutationFn() {
      await sendSignOut();
      await renewSession();
      await router.navigate({ to: '/signin', replace: true });
    },
  });
  return (
    <>
      <ColumnHead title={t('change-title')}>{t('change-text')}</ColumnHead>
      <Form<Field>
        error={change.error}
        onSubmit={({ currentPassword = '', newPassword = '' }) => change.mutate({ currentPassword, newPassword })}
      >
        <PasswordField<Field> name="currentPassword" label={t('temporary-password')} autoComplete="current-password" required autoFocus />
        <NewPasswordField<Field> name="newPassword" label={t('new-password')} />
        <Button type="submit" look="primary" wide busy={change.isPending}>
          {t('reset-set')}
        </Button>
      </Form>
      <ColumnFoot>
        <button type="button" className="link" onClick={() => signOut.mutate()}>
          {t('sign-out-now')}
        </button>
      </ColumnFoot>
    </>
  );
}
