import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { type Column, DataTable } from '../../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../../ui/relative-time/RelativeTime.js';
import { Section } from '../AccountPage.js';
import { type SecurityEvent, securityLogQuery } from '../../../api/people/account.js';
import { t } from '../texts.js';

const COLUMNS: readonly Column<SecurityEvent>[] = [
  {
    id: 'event',
    header: t('log-event'),
    cell: ({ kind, detail }) => (
      <>
        {t(`event-${kind}`)}
        {detail !== null && <span className="muted"> · {detail}</span>}
      </>
    ),
  },
  { id: 'address', header: t('address'), cell: ({ remoteAddress }) => remoteAddress ?? '', phone: 'detail' },
  {
    id: 'time',
    header: t('log-time'),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    phone: 'side',
  },
];

/** The user's own sign-ins, failed ones too, and changes of their ways to sign in. */
export function SecurityLogSection(): ReactNode {
  const log = useInfiniteQuery(securityLogQuery);
  return (
    <Section title={t('log')} text={t('log-text')}>
      <DataTable
        label={t('log')}
        rows={log.data?.pages.flat()}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        error={log.error}
        onRetry={() => void log.refetch()}
        empty={<p className="faint">{t('log-empty')}</p>}
      />
      {log.hasNextPage && (
        <div>
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('log-more')}
          </Button>
        </div>
      )}
    </Section>
  );
}
