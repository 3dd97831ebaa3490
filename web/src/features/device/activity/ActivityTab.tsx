import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide';
import { type ReactNode, useMemo } from 'react';

import type { SearchChange } from '../../../model/search-params.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { formatBytes, formatDate, formatTime } from '../../../i18n/format.js';
import { Badge, type BadgeLook } from '../../../ui/badge/Badge.js';
import { Button } from '../../../ui/button/Button.js';
import { type Column, DataTable } from '../../../ui/data-table/DataTable.js';
import { EmptyFiltered } from '../../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { useNow } from '../../../ui/use-now.js';
import { useCurrentDevice } from '../current-device.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import css from './ActivityTab.module.css';
import { durationParts } from './duration.js';
import { Filters } from './Filters.js';
import { type ActivityView, viewIn } from './kinds.js';
import { sessionsOf } from './sessions.js';
import { activityQuery, type DeviceActivity } from '../../../api/devices/device-activity.js';
import { t } from './texts.js';

interface ActivityTabProps {
  readonly search: Parameters<typeof viewIn>[0];
}

/** Activity on the device, with user and time. It needs no connection to the device: the service keeps these records. */
export function ActivityTab({ search }: ActivityTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const problem = missingOnDevice('device.logs.read', device.id);
  return (
    <DevicePanel title={t('title')}>
      {can('device.logs.read') ? <Activities view={viewIn(search)} /> : <Forbidden problem={problem} />}
    </DevicePanel>
  );
}

function Activities({ view }: { readonly view: ActivityView }): ReactNode {
  const { device } = useCurrentDevice();
  const navigate = useNavigate();
  const query = useInfiniteQuery(activityQuery(device.id, view));
  const { data, error, refetch, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const sessions = useMemo(() => (data === undefined ? undefined : sessionsOf(data.pages.flat())), [data]);
  const isFiltered = view.kind !== undefined || view.person !== undefined;
  const show = (change: SearchChange<ActivityView>): void =>
    void navigate({
      to: '/devices/$deviceId/activity',
      params: { deviceId: device.id },
      search: (now) => change(viewIn(now)),
      replace: true,
    });
  return (
    <>
      <div className={css.tools}>
        <Filters view={view} onChange={show} />
        <Button icon={RotateCw} busy={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
          {t('refresh')}
        </Button>
      </div>
      <DataTable
        label={t('table')}
        rows={sessions}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        error={error}
        onRetry={() => void refetch()}
        empty={
          isFiltered ? <EmptyFiltered onClear={() => show(() => ({}))} /> : <EmptyState title={t('empty')}>{t('empty-text')}</EmptyState>
        }
      />
      {hasNextPage && (
        <div className={css.more}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
      {data !== undefined && data.pages.length > 1 && !hasNextPage && <p className={css.more}>{t('oldest')}</p>}
    </>
  );
}

const COLUMNS: readonly Column<DeviceActivity>[] = [
  { id: 'what', header: t('what'), cell: (activity) => <What activity={activity} /> },
  { id: 'who', header: t('who'), width: '18%', cell: (activity) => <Who activity={activity} /> },
  { id: 'when', header: t('when'), width: '168px', cell: (activity) => timesOf(activity) },
  { id: 'duration', header: t('duration'), width: '88px', align: 'end', cell: (activity) => <Duration activity={activity} /> },
  { id: 'bytes', header: t('bytes'), width: '120px', align: 'end', cell: (activity) => <Bytes activity={activity} /> },
  { id: 'outcome', header: t('outcome'), width: '104px', phone: 'side', cell: (activity) => <Outcome activity={activity} /> },
];

/** The times of its begin and end. The second day is named if it differs. */
function timesOf({ startedAt, endedAt }: DeviceActivity): string {
  const [day, time] = [formatDate(startedAt), formatTime(startedAt)];
  if (endedAt === null) return `${day}, ${time} –`;
  if (formatDate(endedAt) !== day) return `${day}, ${time} – ${formatDate(endedAt)}, ${formatTime(endedAt)}`;
  const end = formatTime(endedAt);
  // One line for the day and one for the times.
  return `${day}, ${(end === time ? time : `${time} –\u2060 ${end}`).replaceAll(' ', '\u00a0')}`;
}

interface CellProps {
  readonly activity: DeviceActivity;
}

/** Kinds whose subject is a path that says more. Others name a session, which says nothing to people. */
const WITH_PATH: ReadonlySet<string> = new Set(['Delete', 'Download', 'LogRead', 'NewFolder', 'Rename', 'Upload']);

function What({ activity: { kind, subject, isViewOnly, consent } }: CellProps): ReactNode {
  const facts = [isViewOnly === true ? t('view-only') : null, consent === null ? null : t(`consent-${consent}`)].filter(Boolean);
  return (
    <span className={css.what}>
      {t(`act-${kind}`)}
      {facts.length > 0 && <span className="meta">{facts.join(' · ')}</span>}
      {subject !== null && WITH_PATH.has(kind) && <span className={css.path}>{subject}</span>}
    </span>
  );
}

function Who({ activity: { principalName, ipAddress, userCorrelationId } }: CellProps): ReactNode {
  const details = [userCorrelationId, ipAddress === null ? null : t('from-address', { address: ipAddress })].filter(Boolean);
  return (
    <span className={css.what}>
      {principalName}
      {details.length > 0 && <span className="meta">{details.join(' · ')}</span>}
    </span>
  );
}

function Duration({ activity: { startedAt, endedAt } }: CellProps): ReactNode {
  const now = useNow();
  const length = (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt);
  const parts = durationParts(length);
  return parts.length === 0 ? t('short') : parts.map(({ unit, count }) => t(unit, { count })).join(' ');
}

function Bytes({ activity: { bytesIn, bytesOut } }: CellProps): ReactNode {
  return [bytesIn > 0 && t('bytes-in', { bytes: formatBytes(bytesIn) }), bytesOut > 0 && t('bytes-out', { bytes: formatBytes(bytesOut) })]
    .filter(Boolean)
    .join(' · ');
}

const LOOKS: Readonly<Record<string, BadgeLook>> = { Failed: 'bad', Interrupted: 'warn' };

function Outcome({ activity: { outcome } }: CellProps): ReactNode {
  if (outcome === null) return <Badge look="accent">{t('outcome-running')}</Badge>;
  const look = LOOKS[outcome];
  return look === undefined ? (
    <span className="muted">{t(`outcome-${outcome}`)}</span>
  ) : (
    <Badge look={look}>{t(`outcome-${outcome}`)}</Badge>
  );
}
