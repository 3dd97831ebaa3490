import { useMutation, useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Pencil } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import type { Versioned } from '../../state/versioned.js';
import { formatInstant } from '../../i18n/format.js';
import { Breadcrumb, Crumb } from '../../ui/breadcrumb/Breadcrumb.js';
import { Button } from '../../ui/button/Button.js';
import { Page } from '../../ui/page/Page.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Switch } from '../../ui/switch/Switch.js';
import { Tab, Tabs } from '../../ui/tabs/Tabs.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import { AccountDialog } from './AccountDialog.js';
import { type Account, accountQuery, ACCOUNTS, type AccountsOf, setEnabled } from '../../api/people/service-accounts.js';
import { accountTabs } from './tabs.js';
import { t } from './texts.js';

interface ServiceAccountPageProps {
  readonly of: AccountsOf;
  readonly serviceAccountId: string;
}

/** One service account: its facts, and below one of its tabs. */
export function ServiceAccountPage({ of, serviceAccountId }: ServiceAccountPageProps): ReactNode {
  const { data: version, isError, error, refetch } = useQuery(accountQuery(of, serviceAccountId));
  const account = version?.value;
  const mayWrite = useCan(ACCOUNTS[of].writePermission);
  const tabs = accountTabs(of, useSession());
  const [isEdited, setEdited] = useState(false);
  const name = account?.name ?? t('account');
  return (
    <Page
      title={name}
      within={[t(`${of}-title`)]}
      way={
        <Breadcrumb current={name}>
          <Crumb to={of === 'server' ? '/server/service-accounts' : '/service-accounts'}>{t(`${of}-title`)}</Crumb>
        </Breadcrumb>
      }
      actions={
        mayWrite &&
        account !== undefined && (
          <Button icon={Pencil} onClick={() => setEdited(true)}>
            {t('edit')}
          </Button>
        )
      }
    >
      {version !== undefined && account !== undefined ? (
        <>
          <Facts of={of} version={version} mayWrite={mayWrite} />
          <Tabs label={t('tabs')}>
            {tabs
              // Accounts that may do everything have no permissions of their own.
              .filter(({ id }) => id !== 'access' || account.accessMode !== 'Unrestricted')
              .map(({ id, to }) => (
                <Tab key={id} to={to} params={{ serviceAccountId }}>
                  {t(`tab-${id}`)}
                </Tab>
              ))}
          </Tabs>
          <Outlet />
          <AccountDialog of={of} account={isEdited ? account : null} onClose={() => setEdited(false)} />
        </>
      ) : isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonList rows={4} />
      )}
    </Page>
  );
}

interface FactsProps {
  readonly of: AccountsOf;
  readonly version: Versioned<Account>;
  readonly mayWrite: boolean;
}

function Facts({ of, version, mayWrite }: FactsProps): ReactNode {
  const account = version.value;
  const enable = useMutation({
    mutationFn: (isEnabled: boolean) => setEnabled(of, version, isEnabled),
    onError: (error) => toastProblem(error),
  });
  return (
    <>
      <PropertyList>
        <Property term={t('description')}>{account.description}</Property>
        {account.accessMode !== undefined && (
          <Property term={t('access-mode')}>
            {t(`mode-${account.accessMode}`)}: {t(`mode-${account.accessMode}-text`)}
          </Property>
        )}
        <Property term={t('created')}>{formatInstant(account.createdAt)}</Property>
        <Property term={t('id')} copy={account.id} mono>
          {account.id}
        </Property>
      </PropertyList>
      <Switch
        label={t('enabled')}
        hint={t('enabled-hint')}
        checked={account.isEnabled}
        busy={enable.isPending}
        disabled={!mayWrite}
        onCheckedChange={(isEnabled) => enable.mutate(isEnabled)}
      />
    </>
  );
}
