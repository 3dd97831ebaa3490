import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button } from '../../../ui/button/Button.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { useShown } from '../../../ui/dialog/shown.js';
import { useSend } from '../../../ui/dialog/use-send.js';
import { PasswordField } from '../../../ui/field/Field.js';
import type { Schemas } from '../../../model/schemas.js';
import { Form, type FormValues } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { ProblemText } from '../../../ui/states/ProblemText.js';
import { toast } from '../../../ui/toast/toasts.js';
import { NewPasswordField } from '../../../parts/sign-in/NewPasswordField.js';
import { Section } from '../AccountPage.js';
import { changePassword } from '../../../api/people/account.js';
import { mailPasswordLink } from '../../../api/people/sign-in.js';
import { t } from '../texts.js';

type Field = keyof Schemas['ChangePasswordRequestDto'];

/** Changes the password, or asks for a first one by mail. */
export function PasswordSection(): ReactNode {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { opening } = useShown(isOpen ? 'form' : null);
  if (!user.hasPassword) return <FirstPassword email={user.email} />;
  return (
    <Section
      title={t('password')}
      text={t('password-text')}
      actions={<Button onClick={() => setOpen(true)}>{t('password-change')}</Button>}
    >
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('password-change')}
        description={t('password-others-end')}
        keepOnOutsideClick
      >
        <PasswordForm key={opening} userName={user.userName} onDone={() => setOpen(false)} />
      </Dialog>
    </Section>
  );
}

function PasswordForm({ userName, onDone }: { readonly userName: string; readonly onDone: () => void }): ReactNode {
  const { send, isSending, error } = useSend(async ({ currentPassword = '', newPassword = '' }: FormValues<Field>) => {
    await changePassword({ currentPassword, newPassword });
    toast(t('password-changed'));
  }, onDone);
  return (
    <Form<Field> error={error} onSubmit={send}>
      {/* Tells password managers the user of the password. */}
      <input type="hidden" name="userName" autoComplete="username" value={userName} />
      <PasswordField<Field> name="currentPassword" label={t('password-current')} autoComplete="current-password" required autoFocus />
      <NewPasswordField<Field> name="newPassword" label={t('password-new')} />
      <FormActions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={isSending}>
          {t('password-change')}
        </Button>
      </FormActions>
    </Form>
  );
}

function FirstPassword({ email }: { readonly email: string | null }): ReactNode {
  const { server } = useSession();
  const ask = useMutation({ mutationFn: mailPasswordLink });
  const action =
    email === null || !server.isMailSent ? undefined : (
      <Button busy={ask.isPending} disabled={ask.isSuccess} onClick={() => ask.mutate(email)}>
        {t('password-first')}
      </Button>
    );
  return (
    <Section title={t('password')} text={t(server.isMailSent ? 'password-none' : 'password-none-no-mail')} actions={action}>
      {ask.isSuccess && email !== null && <Banner look="ok">{t('password-mailed', { email })}</Banner>}
      {ask.isError && (
        <Banner look="bad">
          <ProblemText error={ask.error} />
        </Banner>
      )}
    </Section>
  );
}
