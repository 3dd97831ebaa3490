import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { queryClient } from '../../api/queries.js';
import { formatNumber } from '../../i18n/format.js';
import { liveUntil, onHubBack, onPush, startHub, useOutage } from '../../live/hub.js';
import frame from '../../ui/frames/Panel.module.css';
import { LineChart } from '../../ui/line-chart/LineChart.js';
import { Page } from '../../ui/page/Page.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { type ServerStats, serverStatsQuery } from '../../api/system/server.js';
import { type Sample, withSample } from './samples.js';
import css from './ServerAdministration.module.css';
import { t } from './texts.js';

/** Interval of the points while nothing changes, in milliseconds. */
const SAMPLE_MS = 5000;

const FIGURES = [
  'onlineAgents',
  'totalAgents',
  'onlineUsers',
  'totalUsers',
  'totalTenants',
] as const satisfies readonly (keyof ServerStats)[];

/** Those that change from minute to minute. */
const LINES = ['onlineAgents', 'onlineUsers'] as const;

/** The figures of the server, live, and their course since the page was opened. */
export function StatisticsPage(): ReactNode {
  const stats = useQuery(serverStatsQuery);
  useEffect(() => {
    void startHub();
    const stops = [
      onPush('ReceiveServerStats', (pushed) => {
        queryClient.setQueryData(serverStatsQuery.queryKey, pushed);
      }),
      // The service repeats no figures that it had sent before a short loss.
      onHubBack(() => void queryClient.refetchQueries({ queryKey: serverStatsQuery.queryKey })),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  const isCurrent = useOutage() === null && stats.dataUpdatedAt >= (liveUntil() ?? 0);
  const samples = useSamples(stats.data, isCurrent);
  return (
    <Page title={t('statistics')}>
      {stats.data === undefined ? (
        stats.error === null ? (
          <SkeletonList rows={2} columns={[1, 1, 1, 1, 1]} />
        ) : (
          <ErrorState error={stats.error} onRetry={() => void stats.refetch()} />
        )
      ) : (
        <>
          <Figures stats={stats.data} />
          <section className={frame.panel} aria-labelledby="statistics-line">
            <h2 id="statistics-line">{t('line')}</h2>
            <p className="muted">{t('line-text')}</p>
            <LineChart
              label={t('line-label')}
              times={samples.map(({ time }) => time)}
              lines={LINES.map((figure) => ({ name: t(figure), values: samples.map((sample) => sample.stats?.[figure] ?? null) }))}
            />
          </section>
        </>
      )}
    </Page>
  );
}

function Figures({ stats }: { readonly stats: ServerStats }): ReactNode {
  return (
    <dl className={css.figures}>
      {FIGURES.map((figure) => (
        <div key={figure} className={css.figure}>
          <dt>{t(figure)}</dt>
          <dd>{formatNumber(stats[figure])}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * The figures of this page's lifetime: at every change, and while nothing changes from time to time. None while those of the page are older
 * than the loss of the connection.
 */
function useSamples(stats: ServerStats | undefined, isCurrent: boolean): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (stats === undefined) return undefined;
    const add = (): void => setSamples((former) => withSample(former, { time: Date.now() / 1000, stats: isCurrent ? stats : null }));
    add();
    const timer = setInterval(add, SAMPLE_MS);
    return () => clearInterval(timer);
  }, [stats, isCurrent]);
  return samples;
}
