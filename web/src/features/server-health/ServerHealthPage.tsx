import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';

import { queryClient } from '../../api/queries.js';
import { examineServer, type HealthReport, serverHealthQuery } from '../../api/system/server-health.js';
import { Button } from '../../ui/button/Button.js';
import { Page } from '../../ui/page/Page.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import { PartList } from '../../ui/part-list/PartList.js';
import { Nodes } from './Nodes.js';
import { Report } from './Report.js';
import { t } from './texts.js';

/** Page that examines the server, and says for each fault what it is, why it matters and what to do. */
export function ServerHealthPage(): ReactNode {
  const health = useQuery(serverHealthQuery);
  return (
    <Page title={t('title')}>
      {health.data === undefined ? (
        health.error === null ? (
          <SkeletonList rows={6} columns={[2]} />
        ) : (
          <ErrorState error={health.error} onRetry={() => void health.refetch()} />
        )
      ) : (
        <Health report={health.data.report} />
      )}
    </Page>
  );
}

function Health({ report }: { readonly report: HealthReport | null }): ReactNode {
  const note = useId();
  const examination = useMutation({
    mutationFn: examineServer,
    onSuccess: (answer) => void queryClient.setQueryData(serverHealthQuery.queryKey, answer),
    onError: (error) => toastProblem(error),
  });
  const button = (
    <Button look={report === null ? 'primary' : undefined} busy={examination.isPending} onClick={() => examination.mutate()}>
      {t(report === null ? 'check-first' : 'check')}
    </Button>
  );
  const running = (
    <p id={note} className="muted" role="status">
      {examination.isPending ? t('running') : ''}
    </p>
  );
  return (
    <PartList>
      <p className="muted">{t('intro')}</p>
      {report === null ? (
        <EmptyState title={t('none')} actions={button}>
          {running}
        </EmptyState>
      ) : (
        <Report report={report} button={button} running={running} />
      )}
      <Nodes />
    </PartList>
  );
}
