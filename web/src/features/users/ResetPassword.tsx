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
  // The question may be closed, or be about another user, when the service answers.
  const [given, setGiven] = useState<{ readonly name: string; readonly password: string } | null>(null);
  const reset = useMutation({
    async mutationFn(of: User) {
      setGiven({ name: nameOf(of), password: await resetPasswordOf(of.id) });
    },
    // The secret is in the dialog only.
    gcTime: 0,
  });
  const close = (): void => {
    setGiven(null);
    reset.reset();
    onClose();
  };
  return (
    <>
      <Confirm
        open={user !== null && given === null}
        onClose={close}
        title={t('reset-title', { name: user === null ? '' : nameOf(user) })}
        action={t('reset')}
        look="danger"
        busy={reset.isPending}
        error={reset.error}
        onConfirm={() => {
          if (user !== null) reset.mutate(user);
        }}
      >
        {t('reset-text')}
      </Confirm>
      <SecretDialog
        title={t('temporary-title', { name: given?.name ?? '' })}
        description={t('temporary-text')}
        label={t('temporary-password')}
        value={given?.password ?? null}
        onClose={close}
      />
    </>
  );
}
