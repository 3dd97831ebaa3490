import { type ReactNode, useState } from 'react';

import { ActDialog } from '../../ui/confirm/ActDialog.js';
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
  // The question may be closed, or be about another user, when the service answers. It comes back then.
  const [given, setGiven] = useState<{ readonly name: string; readonly password: string } | null>(null);
  return (
    <>
      <ActDialog
        subject={given === null ? user : null}
        onClose={onClose}
        title={(asked) => t('reset-title', { name: nameOf(asked) })}
        text={() => t('reset-text')}
        action={() => t('reset')}
        act={async (asked) => setGiven({ name: nameOf(asked), password: await resetPasswordOf(asked.id) })}
      />
      <SecretDialog
        title={t('temporary-title', { name: given?.name ?? '' })}
        description={t('temporary-text')}
        label={t('temporary-password')}
        value={given?.password ?? null}
        onClose={() => setGiven(null)}
      />
    </>
  );
}
