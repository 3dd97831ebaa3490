import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { deliveriesQuery, type Delivery, redeliver, type Webhook } from '../../api/system/webhooks.js';
import { formatInstant, formatNumber } from '../../i18n/format.js';
import { Button, IconButton } from '../../ui/button/Button.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { Result } from './State.js';
import { t } from './texts.js';
import css from './Webhooks.module.css';
import { kindOf } from './words.js';

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'time', header: t('time'), cell: ({ createdAt }) => formatInstant(createdAt) },
  { id: 'kind', header: t('kind'), cell: kindOf },
  { id: 'result', header: t('result'), cell: (delivery) => <Result of={delivery} /> },
  { id: 'attempts', header: t('attempts'), cell: ({ attempts }) => formatNumber(attempts), align: 'end', phone: 'hidden' },
  {
    id: 'next',
    header: t('next'),
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '' : <RelativeTime at={nextAttemptAt} />),
    phone: 'hidden',
  },
];

/** The deliveries of a webhook, newest first. */
export function Deliveries({ webhook: { id, pause } }: { readonly webhook: Webhook }): ReactNode {
  const deliveries = useInfiniteQuery(deliveriesQuery(id));
  const mayWrite = useCan('tenant.settings.write');
  const again = useMutation({
    mutationFn: (delivery: Delivery) => redeliver(id, delivery.id),
    onSuccess: () => toast(t('redelivered')),
    onError: (error) => toastProblem(error),
  });
  const act: Column<Delivery> = {
    id: 'again',
    header: t('redeliver'),
    hideHeader: true,
    align: 'end',
    phone: 'side',
    cell: (delivery) => (
      <IconButton
        icon={RotateCw}
        label={t('redeliver-of', { kind: kindOf(delivery), time: formatInstant(delivery.createdAt) })}
        disabled={pause !== null || again.isPending}
        onClick={() => again.mutate(delivery)}
      />
    ),
  };
  return (
    <section aria-labelledby="deliveries" className={css.part}>
      <h2 id="deliveries">{t('deliveries')}</h2>
      <p className="muted">{t('deliveries-text')}</p>
      <DataTable
        label={t('deliveries')}
        rows={deliveries.data?.pages.flat()}
        rowKey={(delivery) => delivery.id}
        columns={mayWrite ? [...COLUMNS, act] : COLUMNS}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        empty={<EmptyState title={t('deliveries-empty')}>{pause === null ? t('deliveries-empty-text') : undefined}</EmptyState>}
      />
      {deliveries.hasNextPage && (
        <div>
          <Button busy={deliveries.isFetchingNextPage} onClick={() => void deliveries.fetchNextPage()}>
            {t('load-more')}
          </Button>
        </div>
      )}
    </section>
  );
}
