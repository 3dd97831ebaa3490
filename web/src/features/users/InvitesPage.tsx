import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Send, Trash2, UserPlus } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { Button } from '../../ui/button/Button.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { type Standing, standingsQuery } from '../../api/people/user-standing.js';
import { InviteDialog } from './InviteDialog.js';
import { type ExpiringInvite, InviteExpiry } from './InviteExpiry.js';
import { ResendInvite } from './ResendInvite.js';
import { t as standingText } from './standing-texts.js';
import { type Invite, invitesQuery } from '../../api/people/invites.js';
import { t } from '../../parts/users/texts.js';
import { WithdrawInvite } from './WithdrawInvite.js';

const columnsFor = (expiries: ReadonlyMap<string, string>): readonly Column<Invite>[] => [
  { id: 'email', header: t('email'), cell: ({ inviteeEmail }) => inviteeEmail, sortBy: ({ inviteeEmail }) => inviteeEmail },
  {
    id: 'invited',
    header: t('invited'),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    phone: 'hidden',
  },
  {
    id: 'expires',
    header: standingText('expires'),
    cell({ id }) {
      const expiresAt = expiries.get(id);
      return expiresAt === undefined ? '' : <RelativeTime at={expiresAt} />;
    },
    sortBy: ({ id }) => expiries.get(id),
    phone: 'side',
  },
];

/** The expiry of each open invitation, by its id. */
const expiriesOf = (standings: ReadonlyMap<string, Standing> | undefined): ReadonlyMap<string, string> =>
  new Map([...(standings?.values() ?? [])].flatMap(({ invite }) => (invite === null ? [] : [[invite.id, invite.expiresAt]])));

/** Those who were invited by e-mail and have not accepted yet. */
export function InvitesPage(): ReactNode {
  const invites = useQuery(invitesQuery);
  const mayWrite = useCan('tenant.users.write');
  const [isInviting, setInviting] = useState(false);
  const standings = useQuery(standingsQuery);
  const expiries = expiriesOf(standings.data);
  const [chosen, setChosen] = useState<{ readonly act: 'resend' | 'expiry' | 'withdraw'; readonly invite: ExpiringInvite } | null>(null);
  const inviteFor = (act: 'resend' | 'expiry' | 'withdraw'): ExpiringInvite | null => (chosen?.act === act ? chosen.invite : null);
  const close = (): void => setChosen(null);
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
        columns={columnsFor(expiries)}
        defaultSort="-invited"
        rowName={({ inviteeEmail }) => inviteeEmail}
        rowMenu={
          mayWrite
            ? (each) => {
                const expiring = { ...each, expiresAt: expiries.get(each.id) ?? each.createdAt };
                return [
                  { label: standingText('resend'), icon: Send, onSelect: () => setChosen({ act: 'resend', invite: expiring }) },
                  { label: standingText('expiry'), icon: CalendarClock, onSelect: () => setChosen({ act: 'expiry', invite: expiring }) },
                  null,
                  { label: t('withdraw'), icon: Trash2, danger: true, onSelect: () => setChosen({ act: 'withdraw', invite: expiring }) },
                ];
              }
            : undefined
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
      <ResendInvite invite={inviteFor('resend')} onClose={close} />
      <InviteExpiry invite={inviteFor('expiry')} onClose={close} />
      <WithdrawInvite invite={inviteFor('withdraw')} onClose={close} />
    </Page>
  );
}
