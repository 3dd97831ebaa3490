import { useMutation, useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { api, bodyOf } from '../../api/client.js';
import { formatInstant, formatRelative } from '../../i18n/format.js';
import { Badge } from '../../ui/badge/Badge.js';
import { Button } from '../../ui/button/Button.js';
import { Confirm } from '../../ui/confirm/Confirm.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toast } from '../../ui/toast/toasts.js';
import { AccountPage, Section } from './AccountPage.js';
import { accountChanged, type OwnSession, ownSessionsQuery } from './queries.js';
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
    cell: ({ createdAt }) => <span title={formatInstant(createdAt)}>{formatRelative(createdAt)}</span>,
    phone: 'hidden',
  },
  {
    id: 'used',
    header: t('last-used'),
    cell: ({ lastUsedAt }) => <span title={formatInstant(lastUsedAt)}>{formatRelative(lastUsedAt)}</span>,
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    phone: 'side',
  },
];

/** The browsers and programs in which the user is signed in: one can be ended, and all others at once. */
export function SessionsPage(): ReactNode {
  const sessions = useQuery(ownSessionsQuery);
  const [ended, setEnded] = useState<OwnSession | 'others' | null>(null);
  const end = useMutation({
    async mutationFn(which: OwnSession | 'others') {
      if (which === 'others') {
        const { count } = await bodyOf(api.POST('/account/sessions/end-others'));
        toast(t('sessions-ended', { count }));
      } else {
        await api.DELETE('/account/sessions/{sessionId}', { params: { path: { sessionId: which.id } } });
        toast(t('sessions-ended', { count: 1 }));
      }
      setEnded(null);
      await accountChanged();
    },
  });
  const ask = (which: OwnSession | 'others'): void => {
    end.reset();
    setEnded(which);
  };
  const hasOthers = (sessions.data ?? []).some(({ isCurrent }) => !isCurrent);
  return (
    <AccountPage tab="sessions">
      <Section
        title={t('sessions-title')}
        text={t('sessions-text')}
        actions={
          <Button disabled={!hasOthers} onClick={() => ask('others')}>
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
              onSelect: () => ask(session),
            },
          ]}
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
          empty={<EmptyState title={t('sessions-empty')} />}
        />
      </Section>
      <Confirm
        open={ended !== null}
        onClose={() => setEnded(null)}
        title={ended === 'others' ? t('sessions-end-others-title') : t('session-end-title', { name: ended === null ? '' : nameOf(ended) })}
        action={ended === 'others' ? t('sessions-end-others') : t('session-end')}
        look="danger"
        busy={end.isPending}
        error={end.error}
        onConfirm={() => {
          if (ended !== null) end.mutate(ended);
        }}
      >
        {t('session-end-text')}
      </Confirm>
    </AccountPage>
  );
}
