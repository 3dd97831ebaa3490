import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Confirm } from '../../ui/confirm/Confirm.js';
import { SecretDialog } from '../../ui/copy/SecretDialog.js';
import { nameOf, resetPasswordOf, type User } from '../../api/people/users.js';
import { t } from '../../parts/users/texts.js';

interface ResetPasswordProps {
  /** Null keeps the dialog closed. */
  readonly user: User | null;
  readonly onClose: () => void;
}

/** Gives a user a temporary password, which is shown this once. */
export function ResetPassword({ user, onClose }: ResetPasswordProps): ReactNode {
  const [password, setPassword] = useState<string | null>(null);
  const reset = useMutation({
    async mutationFn(userId: string) {
      setPassword(await resetPasswordOf(userId));
    },
    // The secret is in the dialog only.
    gcTime: 0,
  });
  const close = (): void => {
    setPassword(null);
    reset.reset();
    onClose();
  };
  const name = user === null ? '' : nameOf(user);
  return (
    <>
      <Confirm
        open={user !== null && password === null}
        onClose={close}
        title={t('reset-title', { name })}
        action={t('reset')}
        look="danger"
        busy={reset.isPending}
        error={reset.error}
        onConfirm={() => {
          if (user !== null) reset.mutate(user.id);
        }}
      >
        {t('reset-text')}
      </Confirm>
      <SecretDialog
        title={t('temporary-title', { name })}
        description={t('temporary-text')}
        label={t('temporary-password')}
        value={password}
        onClose={close}
      />
    </>
  );
}
