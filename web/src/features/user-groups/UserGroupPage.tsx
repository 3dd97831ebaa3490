import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Pencil } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { Breadcrumb, Crumb } from '../../ui/breadcrumb/Breadcrumb.js';
import { Button } from '../../ui/button/Button.js';
import { Page } from '../../ui/page/Page.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Tab, Tabs } from '../../ui/tabs/Tabs.js';
import { GroupDialog } from './GroupDialog.js';
import { userGroupQuery } from '../../api/people/user-groups.js';
import { groupTabs } from './tabs.js';
import { t } from './texts.js';

/** One user group: its purpose, and below one of its tabs. */
export function UserGroupPage({ userGroupId }: { readonly userGroupId: string }): ReactNode {
  const group = useQuery(userGroupQuery(userGroupId));
  const mayWrite = useCan('tenant.user-groups.write');
  const tabs = groupTabs(useSession());
  const [isEdited, setEdited] = useState(false);
  const name = group.data?.name ?? t('group');
  return (
    <Page
      title={name}
      within={[t('title')]}
      way={
        <Breadcrumb current={name}>
          <Crumb to="/user-groups">{t('title')}</Crumb>
        </Breadcrumb>
      }
      actions={
        mayWrite &&
        group.data !== undefined && (
          <Button icon={Pencil} onClick={() => setEdited(true)}>
            {t('edit')}
          </Button>
        )
      }
    >
      {group.data !== undefined ? (
        <>
          {group.data.description !== null && <p className="muted">{group.data.description}</p>}
          <Tabs label={t('tabs')}>
            {tabs.map(({ id, to }) => (
              <Tab key={id} to={to} params={{ userGroupId }} count={id === 'members' ? group.data.members?.length : undefined}>
                {t(`tab-${id}`)}
              </Tab>
            ))}
          </Tabs>
          <Outlet />
          <GroupDialog group={isEdited ? group.data : null} onClose={() => setEdited(false)} />
        </>
      ) : group.isError ? (
        <ErrorState error={group.error} onRetry={() => void group.refetch()} />
      ) : (
        <SkeletonList rows={4} />
      )}
    </Page>
  );
}
