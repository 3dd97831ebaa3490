import { type ReactNode, useState } from 'react';

import { useSession } from '../../access/session.js';
import { deleteAccount } from '../../api/people/account.js';
import { endSessions } from '../../live/sessions/sessions.js';
import { tellSignedOut } from '../../parts/sign-in/other-pages.js';
import { clearUserData } from '../../state/read-user-data.js';
import { Button } from '../../ui/button/Button.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { DownloadButton } from '../../parts/download/DownloadButton.js';
import { AccountPage, Section } from './AccountPage.js';
import { t } from './texts.js';

/** Leaves the deleted account, in the other pages of this browser as well. A new page keeps nothing of the old one, and ends its connections. */
function leave(): void {
  tellSignedOut();
  clearUserData();
  endSessions();
  location.replace('/signin');
}

/** Page for the data that the service stores about the user: to download, and to delete with the account. */
export function DataPage(): ReactNode {
  const { user } = useSession();
  const address = user.email ?? user.userName;
  const [asks, setAsks] = useState(false);
  return (
    <AccountPage tab="data">
      <Section title={t('download')} text={t('download-text')}>
        <div>
          <DownloadButton address="/account/personal-data">{t('download-do')}</DownloadButton>
        </div>
      </Section>
      <Section title={t('delete-account')} text={t('delete-account-text')}>
        <div>
          <Button look="danger" onClick={() => setAsks(true)}>
            {t('delete-account-do')}
          </Button>
        </div>
      </Section>
      <DeleteDialog
        subject={asks ? address : null}
        onClose={() => setAsks(false)}
        nameOf={(name) => name}
        title={(name) => t('delete-account-title', { name })}
        text={() => t('delete-account-last')}
        action={() => t('delete-account-do')}
        act={(email) => deleteAccount(email)}
        onDone={leave}
      />
    </AccountPage>
  );
}
