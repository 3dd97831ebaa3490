import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Save } from 'lucide';
import { type ReactNode, useEffect } from 'react';

import { useCan } from '../../access/can.js';
import { isBackingUp } from '../../api/system/backing-up.js';
import { backUpNow, type ServerBackups, serverBackupsQuery } from '../../api/system/server-backups.js';
import { isGone } from '../../problem/problem.js';
import { formatInstant } from '../../i18n/format.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { BackupFiles } from './BackupFiles.js';
import { BackupRuns } from './BackupRuns.js';
import { HowToRestore } from './HowToRestore.js';
import { NodeSelect } from './NodeSelect.js';
import css from './ServerBackups.module.css';
import { hasFailed, lastEnded } from './states.js';
import { t } from './texts.js';

interface BackupsPageProps {
  /** The chosen node; undefined for the one that answers first. */
  readonly node: string | undefined;
  readonly onNode: (address: string) => void;
}

/** Page of the backups that the server makes by itself. */
export function BackupsPage({ node, onNode }: BackupsPageProps): ReactNode {
  const backups = useQuery(serverBackupsQuery(node));
  const answeredBy = backups.data?.node ?? undefined;
  useStay(node, backups.data, onNode);
  const isAllowed = useCan('server.settings.write');
  const start = useMutation({
    mutationFn: () => backUpNow(node ?? answeredBy),
    onSuccess: () => toast(t('started')),
    onError: (error) => toastProblem(error),
  });
  const { data } = backups;
  // A chosen node that does not answer can be changed for another one. A service of one node names none.
  const shown = data === undefined ? node : answeredBy;
  const now = isAllowed ? (
    <Button look="primary" icon={Save} busy={start.isPending || (data !== undefined && isBackingUp(data))} onClick={() => start.mutate()}>
      {t('back-up')}
    </Button>
  ) : undefined;
  return (
    <Page title={t('title')} actions={now}>
      {shown !== undefined && <NodeSelect node={shown} onNode={onNode} />}
      {data === undefined ? (
        backups.error === null ? (
          <SkeletonList rows={6} columns={[2, 1, 1]} />
        ) : node !== undefined && isGone(backups.error) ? (
          <EmptyState title={t('node-gone')}>{t('node-gone-text')}</EmptyState>
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

/** Stays with the node that has answered first, so that a reload does not show the folder of another one. */
function useStay(node: string | undefined, data: ServerBackups | undefined, onNode: (address: string) => void): void {
  const client = useQueryClient();
  const first = node === undefined ? data : undefined;
  useEffect(() => {
    if (first === undefined || first.node === null) return;
    client.setQueryData(serverBackupsQuery(first.node).queryKey, first);
    onNode(first.node);
  }, [client, first, onNode]);
}

/** Banners about faults and about running work. */
function Notices({ of: backups }: { readonly of: ServerBackups }): ReactNode {
  const { node, running, nextAt, folderFault, runs } = backups;
  const last = lastEnded(runs);
  return (
    <>
      {running !== null && (
        <Banner>{running.task === 'Backup' ? t('running-backup') : t('running-verification', { name: running.file ?? '' })}</Banner>
      )}
      {running === null && isBackingUp(backups) && <Banner>{t('running-elsewhere')}</Banner>}
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
      {nextAt === null && (node === null ? <Banner look="warn">{t('off')}</Banner> : <Banner>{t('off-here')}</Banner>)}
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
