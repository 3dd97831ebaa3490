import { useMutation, useQuery } from '@tanstack/react-query';
import { Save } from 'lucide';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { backUpNow, type ServerBackups, serverBackupsQuery } from '../../api/system/server-backups.js';
import { formatInstant } from '../../i18n/format.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { BackupFiles } from './BackupFiles.js';
import { BackupRuns } from './BackupRuns.js';
import { HowToRestore } from './HowToRestore.js';
import css from './ServerBackups.module.css';
import { hasFailed, lastEnded } from './states.js';
import { t } from './texts.js';

/** Page of the backups that the server makes by itself. */
export function BackupsPage(): ReactNode {
  const backups = useQuery(serverBackupsQuery);
  const isAllowed = useCan('server.settings.write');
  const start = useMutation({
    mutationFn: backUpNow,
    onSuccess: () => toast(t('started')),
    onError: (error) => toastProblem(error),
  });
  const { data } = backups;
  const now = isAllowed ? (
    <Button look="primary" icon={Save} busy={start.isPending || data?.running?.task === 'Backup'} onClick={() => start.mutate()}>
      {t('back-up')}
    </Button>
  ) : undefined;
  return (
    <Page title={t('title')} actions={now}>
      {data === undefined ? (
        backups.error === null ? (
          <SkeletonList rows={6} columns={[2, 1, 1]} />
        ) : (
          <ErrorState error={backups.error} onRetry={() => void backups.refetch()} />
        )
      ) : (
        <>
          <p className="muted">{t('intro')}</p>
          <Notices of={data} />
          <div className={css.parts}>
            <Schedule of={data} />
            <BackupFiles backups={data} />
            <HowToRestore files={data.files} />
            <BackupRuns runs={data.runs} />
          </div>
        </>
      )}
    </Page>
  );
}

/** Banners about faults and about running work. */
function Notices({ of: backups }: { readonly of: ServerBackups }): ReactNode {
  const { running, nextAt, folderFault, runs } = backups;
  const last = lastEnded(runs);
  return (
    <>
      {running !== null && (
        <Banner>{running.task === 'Backup' ? t('running-backup') : t('running-verification', { name: running.file ?? '' })}</Banner>
      )}
      {hasFailed(backups) && last !== undefined && (
        <Banner look="bad">
          {t('failed')} {last.failure ?? t('failed-interrupted')}
        </Banner>
      )}
      {folderFault !== null && (
        <Banner look="bad">
          {t('folder-fault')} {folderFault}
        </Banner>
      )}
      {nextAt === null && <Banner look="warn">{t('off')}</Banner>}
    </>
  );
}

function Schedule({ of: { folder, nextAt, keep, isEncrypted, runs } }: { readonly of: ServerBackups }): ReactNode {
  const last = lastEnded(runs);
  return (
    <section className={frame.panel} aria-label={t('schedule')}>
      <PropertyList wide>
        <Property term={t('next')}>{nextAt === null ? t('next-none') : formatInstant(nextAt)}</Property>
        <Property term={t('last')}>
          {last === undefined ? (
            t('last-none')
          ) : (
            <>
              {t(`outcome-${last.outcome}`)} · <RelativeTime at={last.finishedAt ?? last.startedAt} />
            </>
          )}
        </Property>
        <Property term={t('folder')} copy={folder} mono>
          {folder}
        </Property>
        <Property term={t('keep')}>{t('keep-each', { keep })}</Property>
        <Property term={t('encryption')}>{t(isEncrypted ? 'encryption-on' : 'encryption-off')}</Property>
      </PropertyList>
    </section>
  );
}
