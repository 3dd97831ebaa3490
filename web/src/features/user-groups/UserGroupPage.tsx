import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { AccessMatrix } from '../../access/matrix/AccessMatrix.js';
import { Breadcrumb, Crumb } from '../../ui/breadcrumb/Breadcrumb.js';
import { Button } from '../../ui/button/Button.js';
import { Page } from '../../ui/page/Page.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { GroupDialog } from './GroupDialog.js';
import { Members } from './Members.js';
import { userGroupQuery } from './queries.js';
import { t } from './texts.js';

/** One user group: its members, and what they may do through it. */
export function UserGroupPage({ userGroupId }: { readonly userGroupId: string }): ReactNode {
  const group = useQuery(userGroupQuery(userGroupId));
  const mayWrite = useCan('tenant.user-groups.write');
  const mayReadAccess = useCan('tenant.permissions.read');
  const [isEdited, setEdited] = useState(false);
  const name = group.data?.name ?? t('group');
  return (
    <Page
      title={name}
      within={[t('title')]}
      actions={
        mayWrite &&
        group.data !== undefined && (
          <Button icon={Pencil} onClick={() => setEdited(true)}>
            {t('edit')}
          </Button>
        )
      }
    >
      <Breadcrumb current={name}>
        <Crumb to="/user-groups">{t('title')}</Crumb>
      </Breadcrumb>
      {group.data !== undefined ? (
        <>
          {group.data.description !== null && <p className="muted">{group.data.description}</p>}
          <Members userGroupId={userGroupId} members={group.data.members ?? []} />
          {mayReadAccess && <AccessMatrix key={userGroupId} principal={{ kind: 'UserGroup', id: userGroupId }} />}
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
