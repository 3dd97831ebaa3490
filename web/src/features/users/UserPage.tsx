import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { KeyRound, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { formatInstant } from '../../i18n/format.js';
import { Breadcrumb, Crumb } from '../../ui/breadcrumb/Breadcrumb.js';
import { Button } from '../../ui/button/Button.js';
import { Page } from '../../ui/page/Page.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState, Gone } from '../../ui/states/ErrorState.js';
import { Tab, Tabs } from '../../ui/tabs/Tabs.js';
import { DeleteUser } from './DeleteUser.js';
import { nameOf, type User, usersQuery } from '../../api/people/users.js';
import { ResetPassword } from './ResetPassword.js';
import { userTabs } from './tabs.js';
import { t } from '../../parts/users/texts.js';

/** One user: who it is, and below one of its tabs. */
export function UserPage({ userId }: { readonly userId: string }): ReactNode {
  const users = useQuery(usersQuery);
  const user = users.data?.find(({ id }) => id === userId);
  const tabs = userTabs(useSession());
  const name = user === undefined ? t('user') : nameOf(user);
  return (
    <Page
      title={name}
      within={[t('title')]}
      way={
        <Breadcrumb current={name}>
          <Crumb to="/users">{t('title')}</Crumb>
        </Breadcrumb>
      }
      actions={user !== undefined && <Acts user={user} />}
    >
      {user !== undefined ? (
        <>
          <PropertyList wide>
            <Property term={t('email')} copy={user.email ?? undefined}>
              {user.email}
            </Property>
            <Property term={t('user-name')}>{user.userName}</Property>
            <Property term={t('created')}>{formatInstant(user.createdAt)}</Property>
            <Property term={t('id')} copy={user.id} mono>
              {user.id}
            </Property>
          </PropertyList>
          <Tabs label={t('tabs')}>
            {tabs.map(({ id, to }) => (
              <Tab key={id} to={to} params={{ userId }}>
                {t(`tab-${id}`)}
              </Tab>
            ))}
          </Tabs>
          <Outlet />
        </>
      ) : users.isSuccess ? (
        <Gone />
      ) : users.isError ? (
        <ErrorState error={users.error} onRetry={() => void users.refetch()} />
      ) : (
        <SkeletonList rows={4} />
      )}
    </Page>
  );
}

function Acts({ user }: { readonly user: User }): ReactNode {
  const navigate = useNavigate();
  const isSelf = useSession().user.id === user.id;
  const mayWrite = useCan('tenant.users.write');
  const mayDelete = useCan('tenant.users.delete');
  const [isResetting, setResetting] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      {mayWrite && (
        <Button icon={KeyRound} onClick={() => setResetting(true)}>
          {t('reset')}
        </Button>
      )}
      {mayDelete && !isSelf && (
        <Button icon={Trash2} onClick={() => setDeleting(true)}>
          {t('delete')}
        </Button>
      )}
      <ResetPassword user={isResetting ? user : null} onClose={() => setResetting(false)} />
      <DeleteUser
        user={isDeleting ? user : null}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: '/users', replace: true })}
      />
    </>
  );
}
