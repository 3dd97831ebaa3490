import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { pauseWebhook, resumeWebhook, testWebhook, type Webhook, webhookQuery } from '../../api/system/webhooks.js';
import { formatInstant } from '../../i18n/format.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Breadcrumb, Crumb } from '../../ui/breadcrumb/Breadcrumb.js';
import { Button } from '../../ui/button/Button.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import { Page } from '../../ui/page/Page.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { useWayOut } from '../../ui/states/way-out.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { useNow } from '../../ui/use-now.js';
import { Deliveries } from './Deliveries.js';
import { State } from './State.js';
import { t } from './texts.js';
import { DeleteWebhook, EditWebhook, ReplaceSecret } from './WebhookDialogs.js';
import { isFault, kindsOf, nameOf } from './words.js';

/** One webhook with its deliveries. */
export function WebhookPage({ webhookId }: { readonly webhookId: string }): ReactNode {
  const { data: webhook, error, refetch } = useQuery(webhookQuery(webhookId));
  const mayWrite = useCan('tenant.settings.write');
  const name = webhook === undefined ? t('one') : nameOf(webhook);
  return (
    <Page
      title={name}
      within={[t('title')]}
      way={
        <Breadcrumb current={name}>
          <Crumb to="/webhooks">{t('title')}</Crumb>
        </Breadcrumb>
      }
      actions={mayWrite && webhook !== undefined && <Actions webhook={webhook} />}
    >
      {webhook !== undefined ? (
        <>
          <Facts webhook={webhook} />
          <Deliveries webhook={webhook} />
        </>
      ) : error === null ? (
        <SkeletonList rows={4} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const now = useNow();
  const { id, url, kinds, pause, createdAt, formerSecretUntil } = webhook;
  const hasTwo = formerSecretUntil !== null && Date.parse(formerSecretUntil) > now;
  return (
    <>
      {pause !== null && (
        <Banner look={isFault(webhook) ? 'bad' : 'warn'} actions={<Resume webhook={webhook} />}>
          {t(`paused-${pause}`)}
        </Banner>
      )}
      <PropertyList>
        <Property term={t('url')} copy={url} mono>
          {url}
        </Property>
        <Property term={t('state')}>
          <State of={webhook} />
        </Property>
        <Property term={t('kinds')}>{kindsOf(kinds)}</Property>
        <Property term={t('secrets')}>{hasTwo ? t('secret-former', { time: formatInstant(formerSecretUntil) }) : t('secret-one')}</Property>
        <Property term={t('created')}>{formatInstant(createdAt)}</Property>
        <Property term={t('id')} copy={id} mono>
          {id}
        </Property>
      </PropertyList>
    </>
  );
}

function Resume({ webhook: { id } }: { readonly webhook: Webhook }): ReactNode {
  const resume = useMutation({
    mutationFn: () => resumeWebhook(id),
    onSuccess: () => toast(t('resumed')),
    onError: (error) => toastProblem(error),
  });
  return (
    <Button icon={Play} busy={resume.isPending} onClick={() => resume.mutate()}>
      {t('resume')}
    </Button>
  );
}

type Asked = 'edit' | 'replace' | 'delete' | null;

function Actions({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { id, pause } = webhook;
  const wayOut = useWayOut(`/webhooks/${id}`);
  const [asked, setAsked] = useState<Asked>(null);
  const test = useMutation({
    mutationFn: () => testWebhook(id),
    onSuccess: () => toast(t('tested')),
    onError: (error) => toastProblem(error),
  });
  const stop = useMutation({ mutationFn: () => pauseWebhook(id), onError: (error) => toastProblem(error) });
  const about = (question: Asked): Webhook | null => (asked === question ? webhook : null);
  const close = (): void => setAsked(null);
  return (
    <>
      <Button look="primary" icon={Send} busy={test.isPending} disabled={pause !== null} onClick={() => test.mutate()}>
        {t('test')}
      </Button>
      <Button icon={Pencil} onClick={() => setAsked('edit')}>
        {t('edit')}
      </Button>
      <MenuButton
        label={t('more')}
        hideLabel
        entries={[
          { label: t('replace'), icon: KeyRound, onSelect: () => setAsked('replace') },
          { label: t('pause'), icon: Pause, disabled: pause !== null, onSelect: () => stop.mutate() },
          null,
          { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setAsked('delete') },
        ]}
      />
      <EditWebhook webhook={about('edit')} onClose={close} />
      <ReplaceSecret webhook={about('replace')} onClose={close} />
      <DeleteWebhook webhook={about('delete')} onClose={close} onDone={() => void wayOut()} />
    </>
  );
}
