import { useMutation, useQuery } from '@tanstack/react-query';
import { Pause, Pencil, Play, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { pauseWebhook, resumeWebhook, type Webhook, webhooksQuery } from '../../api/system/webhooks.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import { Result, State } from './State.js';
import { t } from './texts.js';
import css from './Webhooks.module.css';
import { DeleteWebhook, EditWebhook, NewWebhook } from './WebhookDialogs.js';
import { isFault, kindsOf, MAXIMUM_WEBHOOKS, nameOf } from './words.js';

/** Kinds that a row of the list names. */
const NAMED_KINDS = 2;

const COLUMNS: readonly Column<Webhook>[] = [
  { id: 'url', header: t('url'), cell: ({ url }) => url, sortBy: ({ url }) => url },
  { id: 'kinds', header: t('kinds'), cell: ({ kinds }) => kindsOf(kinds, NAMED_KINDS), phone: 'hidden' },
  { id: 'state', header: t('state'), cell: (webhook) => <State of={webhook} />, sortBy: ({ pause }) => pause ?? '' },
  {
    id: 'last',
    header: t('last-delivery'),
    cell: ({ lastDelivery }) =>
      lastDelivery === null ? (
        t('never')
      ) : (
        <span className={css.state}>
          <Result of={{ ...lastDelivery, lastError: null }} />
          <span className={css.reason}>
            <RelativeTime at={lastDelivery.createdAt} />
          </span>
        </span>
      ),
    sortBy: ({ lastDelivery }) => lastDelivery?.createdAt ?? '',
    phone: 'hidden',
  },
];

/** The webhooks of the tenant: addresses that its events are sent to. */
export function WebhooksPage(): ReactNode {
  const webhooks = useQuery(webhooksQuery);
  const mayWrite = useCan('tenant.settings.write');
  const [isCreating, setCreating] = useState(false);
  const [edited, setEdited] = useState<Webhook | null>(null);
  const [deleted, setDeleted] = useState<Webhook | null>(null);
  const change = useMutation({
    mutationFn: ({ id, pause }: Webhook) => (pause === null ? pauseWebhook(id) : resumeWebhook(id)),
    onError: (error) => toastProblem(error),
  });
  const count = webhooks.data?.length ?? 0;
  const isFull = count >= MAXIMUM_WEBHOOKS;
  const failing = webhooks.data?.filter(isFault).length ?? 0;
  const create = mayWrite ? (
    <Button look="primary" icon={Plus} disabled={isFull || webhooks.data === undefined} onClick={() => setCreating(true)}>
      {t('create')}
    </Button>
  ) : undefined;
  return (
    <Page title={t('title')} count={webhooks.data?.length} actions={create}>
      <p className="muted">{isFull ? t('full', { count: MAXIMUM_WEBHOOKS }) : t('intro', { count: MAXIMUM_WEBHOOKS })}</p>
      {failing > 0 && (
        <Banner look="bad">
          <strong>{t('failing', { count: failing })}</strong> {t('failing-text')}
        </Banner>
      )}
      <DataTable
        label={t('title')}
        rows={webhooks.data}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        defaultSort="url"
        rowLink={({ id }) => ({ to: '/webhooks/$webhookId', params: { webhookId: id } })}
        rowName={nameOf}
        rowMenu={
          mayWrite
            ? (webhook) => [
                { label: t('edit'), icon: Pencil, onSelect: () => setEdited(webhook) },
                {
                  label: webhook.pause === null ? t('pause') : t('resume'),
                  icon: webhook.pause === null ? Pause : Play,
                  onSelect: () => change.mutate(webhook),
                },
                null,
                { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleted(webhook) },
              ]
            : undefined
        }
        error={webhooks.error}
        onRetry={() => void webhooks.refetch()}
        empty={
          <EmptyState title={t('empty')} actions={create}>
            {t('empty-text')}
          </EmptyState>
        }
      />
      <NewWebhook open={isCreating} onClose={() => setCreating(false)} />
      <EditWebhook webhook={edited} onClose={() => setEdited(null)} />
      <DeleteWebhook webhook={deleted} onClose={() => setDeleted(null)} />
    </Page>
  );
}
