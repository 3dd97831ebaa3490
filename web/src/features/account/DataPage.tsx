import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../access/session.js';
import { api } from '../../api/client.js';
import { Button } from '../../ui/button/Button.js';
import { ConfirmByName } from '../../ui/confirm/Confirm.js';
import { AnchorButton } from '../../ui/link-button/LinkButton.js';
import { AccountPage, Section } from './AccountPage.js';
import { t } from './texts.js';

/** What the service stores about the user: to download, and to delete with the account. */
export function DataPage(): ReactNode {
  const { user } = useSession();
  const address = user.email ?? user.userName;
  const [asks, setAsks] = useState(false);
  const remove = useMutation({
    async mutationFn() {
      await api.DELETE('/account', { body: { email: address } });
      // A new page keeps nothing of what the old one showed, and ends its connections.
      location.replace('/signin');
    },
  });
  return (
    <AccountPage tab="data">
      <Section title={t('download')} text={t('download-text')}>
        <div>
          <AnchorButton icon={Download} href="/account/personal-data" download>
            {t('download-do')}
          </AnchorButton>
        </div>
      </Section>
      <Section title={t('delete-account')} text={t('delete-account-text')}>
        <div>
          <Button
            look="danger"
            onClick={() => {
              remove.reset();
              setAsks(true);
            }}
          >
            {t('delete-account-do')}
          </Button>
        </div>
      </Section>
      <ConfirmByName
        open={asks}
        onClose={() => setAsks(false)}
        title={t('delete-account-title', { name: address })}
        action={t('delete-account-do')}
        name={address}
        busy={remove.isPending || remove.isSuccess}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {t('delete-account-last')}
      </ConfirmByName>
    </AccountPage>
  );
}
