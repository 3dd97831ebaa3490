import { type ReactNode, useState } from 'react';

import { useSession } from '../../access/session.js';
import { nameOf, type User } from '../../api/people/users.js';
import { Button } from '../../ui/button/Button.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { toast } from '../../ui/toast/toasts.js';
import { t } from '../../parts/users/texts.js';
import { CreateUserForm } from './CreateUserForm.js';

interface CreateUserDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Opens the dialog of an invitation, which also confirms the address. */
  readonly onInvite: () => void;
}

/** Creates a user. Where addresses must be confirmed, it then says what the user still needs to sign in. */
export function CreateUserDialog({ open, onClose, onInvite }: CreateUserDialogProps): ReactNode {
  const { server } = useSession();
  const [stranded, setStranded] = useState<User | null>(null);
  const onCreated = (user: User): void => {
    if (!server.mustConfirmEmail) return;
    if (server.isMailSent) toast(t('created-mailed', { email: nameOf(user) }));
    else setStranded(user);
  };
  return (
    <>
      <Dialog open={open} onClose={onClose} title={t('create-user')} keepOnOutsideClick>
        {open && <CreateUserForm onCancel={onClose} onCreated={onCreated} onFinished={onClose} onInvite={onInvite} />}
      </Dialog>
      <Dialog
        open={stranded !== null}
        onClose={() => setStranded(null)}
        title={t('created-title')}
        description={stranded !== null && t('unconfirmed-no-mail', { name: nameOf(stranded) })}
      >
        {stranded !== null && (
          <>
            <p>{t('unconfirmed-ways')}</p>
            <FormActions>
              <LinkButton to="/users/$userId" params={{ userId: stranded.id }}>
                {t('view-user')}
              </LinkButton>
              <Button look="primary" onClick={() => setStranded(null)}>
                {t('close')}
              </Button>
            </FormActions>
          </>
        )}
      </Dialog>
    </>
  );
}
