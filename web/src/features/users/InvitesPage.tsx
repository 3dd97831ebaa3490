import { useQuery } from '@tanstack/react-query';
import { Trash2, UserPlus } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { Button } from '../../ui/button/Button.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { InviteDialog } from './InviteDialog.js';
import { type Invite, invitesQuery } from '../../api/people/invites.js';
import { t } from '../../parts/users/texts.js';
import { WithdrawInvite } from './WithdrawInvite.js';

const COLUMNS: readonly Column<Invite>[] = [
  { id: 'email', header: t('email'), cell: ({ inviteeEmail }) => inviteeEmail, sortBy: ({ inviteeEmail }) => inviteeEmail },
  {
    id: 'invited',
    header: t('invited'),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    phone: 'side',
  },
];

/** Those who were invited by e-mail and have not accepted yet. */
export function InvitesPage(): ReactNode {
  const invites = useQuery(invitesQuery);
  const mayWrite = useCan('tenant.users.write');
  const [isInviting, setInviting] = useState(false);
  const [withdrawn, setWithdrawn] = useState<Invite | null>(null);
  const invite = mayWrite ? (
    <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  ) : undefined;
  return (
    <Page
      title={t('invites')}
      count={invites.data?.length}
      actions={
        <>
          <LinkButton to="/users">{t('title')}</LinkButton>
          {invite}
        </>
      }
    >
      <p className="muted">{t('invites-intro')}</p>
      <DataTable
        label={t('invites')}
        rows={invites.data}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        defaultSort="-invited"
        rowName={({ inviteeEmail }) => inviteeEmail}
        rowMenu={
          mayWrite ? (each) => [{ label: t('withdraw'), icon: Trash2, danger: true, onSelect: () => setWithdrawn(each) }] : undefined
        }
        error={invites.error}
        onRetry={() => void invites.refetch()}
        empty={
          <EmptyState title={t('invites-empty')} actions={invite}>
            {t('invites-empty-text')}
          </EmptyState>
        }
      />
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} />
      <WithdrawInvite invite={withdrawn} onClose={() => setWithdrawn(null)} />
    </Page>
  );
}
