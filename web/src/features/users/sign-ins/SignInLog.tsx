import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type LogPart, type SignInEvent, signInLogQuery } from '../../../api/people/user-standing.js';
import { Badge } from '../../../ui/badge/Badge.js';
import { Button } from '../../../ui/button/Button.js';
import { type Column, DataTable } from '../../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../../ui/relative-time/RelativeTime.js';
import { Select } from '../../../ui/select/Select.js';
import { EmptyFiltered } from '../../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { t } from '../standing-texts.js';
import { inWords } from './event.js';

const PARTS = ['SignIns', 'Refusals'] as const satisfies readonly LogPart[];

const EVENT: Column<SignInEvent> = {
  id: 'event',
  header: t('log-event'),
  cell: (entry) => {
    const { event, isRefusal } = inWords(entry);
    return isRefusal ? <Badge look="bad">{event}</Badge> : event;
  },
};

const USER: Column<SignInEvent> = { id: 'user', header: t('log-user'), cell: ({ userName }) => userName };

const FACTS: readonly Column<SignInEvent>[] = [
  { id: 'method', header: t('log-method'), cell: (entry) => inWords(entry).method, phone: 'detail' },
  { id: 'reason', header: t('log-reason'), cell: (entry) => inWords(entry).reason, phone: 'detail' },
  {
    id: 'client',
    header: t('log-client'),
    cell: ({ client, userAgent }) => <span title={userAgent ?? undefined}>{client ?? ''}</span>,
    phone: 'hidden',
  },
  { id: 'address', header: t('log-address'), cell: ({ remoteAddress }) => remoteAddress ?? '', phone: 'detail' },
  { id: 'time', header: t('log-time'), cell: ({ createdAt }) => <RelativeTime at={createdAt} />, phone: 'side' },
];

interface SignInLogProps {
  /** The user whose entries to show; without it, those of all users of the tenant. */
  readonly userId?: string;
  /** Name of the part in the address; all entries for any other name. */
  readonly show: string | undefined;
  readonly onPart: (part: LogPart | undefined) => void;
}

/** Sign-ins and changes of how users sign in, the newest first: time, client, address, and why one was refused. */
export function SignInLog({ userId, show, onPart }: SignInLogProps): ReactNode {
  const part = PARTS.find((each) => each === show);
  const log = useInfiniteQuery(signInLogQuery(userId, part));
  return (
    <>
      <div className="row">
        <Select
          label={t('part')}
          hideLabel
          value={part ?? ''}
          options={[{ value: '', label: t('part-all') }, ...PARTS.map((each) => ({ value: each, label: t(`part-${each}`) }))]}
          onValueChange={(chosen) => onPart(PARTS.find((each) => each === chosen))}
        />
      </div>
      <DataTable
        label={t('log')}
        rows={log.data?.pages.flat()}
        rowKey={({ id }) => id}
        columns={userId === undefined ? [USER, EVENT, ...FACTS] : [EVENT, ...FACTS]}
        error={log.error}
        onRetry={() => void log.refetch()}
        empty={
          part === undefined ? (
            <EmptyState title={t('log-empty')}>{t('log-empty-text')}</EmptyState>
          ) : (
            <EmptyFiltered onClear={() => onPart(undefined)} />
          )
        }
      />
      {log.hasNextPage && (
        <div>
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('log-more')}
          </Button>
        </div>
      )}
    </>
  );
}
