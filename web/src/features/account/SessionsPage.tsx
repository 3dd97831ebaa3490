import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide';
import { type ReactNode, useState } from 'react';

import { Badge } from '../../ui/badge/Badge.js';
import { Button } from '../../ui/button/Button.js';
import { RevokeDialog } from '../../ui/confirm/RevokeDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toast } from '../../ui/toast/toasts.js';
import { AccountPage, Section } from './AccountPage.js';
import { endOtherSessions, endSession, type OwnSession, ownSessionsQuery } from '../../api/people/account.js';
import { t } from './texts.js';

const nameOf = ({ device }: OwnSession): string => device ?? t('session-unknown');

const COLUMNS: readonly Column<OwnSession>[] = [
  {
    id: 'device',
    header: t('session-device'),
    cell: (session) => (
      <span className="row wrap">
        {nameOf(session)}
        {session.isCurrent && <Badge look="accent">{t('session-this')}</Badge>}
      </span>
    ),
  },
  { id: 'method', header: t('session-method'), cell: ({ method }) => t(`method-${method}`), phone: 'detail' },
  { id: 'address', header: t('address'), cell: ({ remoteAddress }) => remoteAddress ?? '', phone: 'detail' },
  {
    id: 'created',
    header: t('session-since'),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    phone: 'hidden',
  },
  {
    id: 'used',
    header: t('last-used'),
    cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    phone: 'side',
  },
];

async function end(which: OwnSession | 'others'): Promise<void> {
  if (which === 'others') {
    toast(t('sessions-ended', { count: await endOtherSessions() }));
  } else {
    await endSession(which.id);
    toast(t('sessions-ended', { count: 1 }));
  }
}

/** The browsers and programs in which the user is signed in: one can be ended, and all others at once. */
export function SessionsPage(): ReactNode {
  const sessions = useQuery(ownSessionsQuery);
  const [ended, setEnded] = useState<OwnSession | 'others' | null>(null);
  const hasOthers = (sessions.data ?? []).some(({ isCurrent }) => !isCurrent);
  return (
    <AccountPage tab="sessions">
      <Section
        title={t('sessions-title')}
        text={t('sessions-text')}
        actions={
          <Button disabled={!hasOthers} onClick={() => setEnded('others')}>
            {t('sessions-end-others')}
          </Button>
        }
      >
        <DataTable
          label={t('sessions-title')}
          rows={sessions.data}
          rowKey={({ id }) => id}
          columns={COLUMNS}
          defaultSort="-used"
          rowName={nameOf}
          rowMenu={(session) => [
            {
              label: t('session-end'),
              icon: LogOut,
              danger: true,
              disabled: session.isCurrent,
              hint: session.isCurrent ? t('session-this-hint') : undefined,
              onSelect: () => setEnded(session),
            },
          ]}
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
          empty={<EmptyState title={t('sessions-empty')} />}
        />
      </Section>
      <RevokeDialog
        subject={ended}
        onClose={() => setEnded(null)}
        title={(which) => (which === 'others' ? t('sessions-end-others-title') : t('session-end-title', { name: nameOf(which) }))}
        text={() => t('session-end-text')}
        action={(which) => (which === 'others' ? t('sessions-end-others') : t('session-end'))}
        act={end}
      />
    </AccountPage>
  );
}
