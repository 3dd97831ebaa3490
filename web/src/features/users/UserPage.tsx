import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { formatInstant } from '../../i18n/format.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Breadcrumb, Crumb } from '../../ui/breadcrumb/Breadcrumb.js';
import { Button } from '../../ui/button/Button.js';
import { isPhone, useMedia } from '../../ui/media.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import { Page } from '../../ui/page/Page.js';
import { FoldedOnPhone } from '../../ui/property-list/FoldedOnPhone.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Gone } from '../../ui/states/Gone.js';
import { useWayOut } from '../../ui/states/way-out.js';
import { Tab, Tabs } from '../../ui/tabs/Tabs.js';
import { type Standing, standingsQuery } from '../../api/people/user-standing.js';
import { nameOf, type User, usersQuery } from '../../api/people/users.js';
import { t as standingText } from './standing-texts.js';
import { factorsInWords, StateOf } from './StateOf.js';
import { userTabs } from './tabs.js';
import { actsOn, type UserAct } from './user-acts.js';
import { UserDialogs } from './UserDialogs.js';
import { t } from '../../parts/users/texts.js';

/** One user: who it is, and below one of its tabs. */
export function UserPage({ userId }: { readonly userId: string }): ReactNode {
  const users = useQuery(usersQuery);
  const user = users.data?.find(({ id }) => id === userId);
  const standings = useQuery({ ...standingsQuery, enabled: useCan('tenant.users.read') });
  const standing = standings.data?.get(userId);
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
      actions={user !== undefined && <Acts user={user} standing={standing} />}
    >
      {user !== undefined ? (
        <>
          {standing?.state === 'Unconfirmed' && <Unconfirmed name={name} />}
          <FoldedOnPhone label={t('details')}>
            <PropertyList wide>
              <Property term={t('email')} copy={user.email ?? undefined}>
                {user.email}
              </Property>
              {user.userName !== user.email && <Property term={t('user-name')}>{user.userName}</Property>}
              {standing !== undefined && <StandingOf standing={standing} />}
              <Property term={t('created')}>{formatInstant(user.createdAt)}</Property>
              <Property term={t('id')} copy={user.id} mono>
                {user.id}
              </Property>
            </PropertyList>
          </FoldedOnPhone>
          <Tabs label={t('tabs')}>
            {tabs.map(({ id, to }) => (
              <Tab key={id} to={to} params={{ userId }}>
                {id === 'sign-ins' ? standingText('sign-ins') : t(`tab-${id}`)}
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

/** The steps that a user whose address is not confirmed needs to sign in. */
function Unconfirmed({ name }: { readonly name: string }): ReactNode {
  const { server } = useSession();
  return (
    <Banner look="warn">
      {server.isMailSent ? t('unconfirmed-mail', { name }) : `${t('unconfirmed-no-mail', { name })} ${t('unconfirmed-ways')}`}
    </Banner>
  );
}

function StandingOf({ standing }: { readonly standing: Standing }): ReactNode {
  return (
    <>
      <Property term={standingText('state')}>
        <StateOf standing={standing} />
      </Property>
      <Property term={standingText('last-sign-in')}>
        {standing.lastSignIn === null ? standingText('never') : <RelativeTime at={standing.lastSignIn} />}
      </Property>
      <Property term={standingText('factor')}>{factorsInWords(standing)}</Property>
    </>
  );
}

function Acts({ user, standing }: { readonly user: User; readonly standing: Standing | undefined }): ReactNode {
  const wayOut = useWayOut(`/users/${user.id}`);
  const self = useSession().user.id;
  const mayWrite = useCan('tenant.users.write');
  const mayDelete = useCan('tenant.users.delete');
  const [act, setAct] = useState<UserAct | null>(null);
  const isNarrow = useMedia(isPhone);
  const entries = actsOn(user, standing, { self, mayWrite, mayDelete }, setAct).flatMap((entry) =>
    entry === null || entry.disabled === true ? [] : [entry],
  );
  return (
    <>
      {isNarrow && entries.length > 0 ? (
        <MenuButton label={t('actions')} entries={entries} align="end" />
      ) : (
        entries.map((entry) => (
          <Button key={entry.label} icon={entry.icon} onClick={entry.onSelect}>
            {entry.label}
          </Button>
        ))
      )}
      <UserDialogs chosen={act === null ? null : { act, user, standing }} onClose={() => setAct(null)} onDeleted={() => void wayOut()} />
    </>
  );
}
