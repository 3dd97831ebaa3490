import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo } from 'react';

import { type EventFilter, eventsQuery } from '../../api/system/events.js';
import { lazyAfterFirstPage } from '../../first-load/first-page.js';
import { formatDay } from '../../i18n/format.js';
import { byDay } from '../../model/days.js';
import type { SearchChange } from '../../model/search-params.js';
import { EVENT_KINDS, eventKindName } from '../../parts/events/kinds.js';
import { Button } from '../../ui/button/Button.js';
import { FilterChip } from '../../ui/chip/Chip.js';
import { Page } from '../../ui/page/Page.js';
import { Select } from '../../ui/select/Select.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Status } from '../../ui/status/Status.js';
import { DayList } from '../../ui/part-list/DayList.js';
import { EventLine } from './EventLine.js';
import css from './EventsPage.module.css';
import { t } from './texts.js';
import { useLiveEvents } from './useLiveEvents.js';

/** Popovers are large because of their positioning, so they are loaded at first use. */
const DeviceFilter = lazyAfterFirstPage(async () => (await import('./DeviceFilter.js')).DeviceFilter);

/** Search of the events in their address. */
interface EventsAddress {
  readonly kind?: string;
  /** Id of the device whose events are shown. */
  readonly device?: string;
}

interface EventsPageProps {
  readonly search: EventsAddress;
  readonly onSearch: (change: SearchChange<EventsAddress>) => void;
}

/** Events of the tenant, newest first, as they happen. */
export function EventsPage({ search, onSearch }: EventsPageProps): ReactNode {
  const kind = EVENT_KINDS.find((each) => each === search.kind);
  const filter: EventFilter = { kinds: kind, deviceId: search.device };
  const events = useInfiniteQuery(eventsQuery(filter));
  const all = events.data?.pages.flatMap(({ items }) => items);
  const isLive = useLiveEvents(filter, all !== undefined, all?.at(0)?.id, () => void events.refetch());
  return (
    <Page title={t('title')}>
      <p className="muted">{t('intro')}</p>
      <div className={css.filters}>
        <Select
          label={t('kind')}
          hideLabel
          value={kind ?? ''}
          options={[
            { value: '', label: `${t('kind')}: ${t('any')}` },
            ...EVENT_KINDS.map((each) => ({ value: each, label: eventKindName(each) })),
          ]}
          onValueChange={(chosen) => onSearch((now) => ({ ...now, kind: EVENT_KINDS.find((each) => each === chosen) }))}
        />
        <Suspense fallback={<FilterChip label={t('device')} aria-busy />}>
          <DeviceFilter value={search.device} onChange={(device) => onSearch((now) => ({ ...now, device }))} />
        </Suspense>
        {events.isSuccess && (
          <span className={css.live}>
            <Status look={isLive ? 'online' : 'offline'}>{isLive ? t('live') : t('paused')}</Status>
          </span>
        )}
      </div>
      <EventList {...{ events, all }} isFiltered={kind !== undefined || search.device !== undefined} onClear={() => onSearch(() => ({}))} />
    </Page>
  );
}

interface EventListProps {
  readonly events: ReturnType<typeof useInfiniteQuery<unknown>>;
  readonly all: Parameters<typeof EventLine>[0]['event'][] | undefined;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function EventList({ events, all, isFiltered, onClear }: EventListProps): ReactNode {
  const days = useMemo(() => byDay((all ?? []).map((event) => ({ id: event.id, createdAt: event.occurredAt, event }))), [all]);
  if (all === undefined) {
    return events.error === null ? (
      <SkeletonList columns={[1, 8, 2]} />
    ) : (
      <ErrorState error={events.error} onRetry={() => void events.refetch()} />
    );
  }
  return (
    <>
      {events.error !== null && <ErrorState error={events.error} onRetry={() => void events.refetch()} />}
      {days.length === 0 &&
        (isFiltered ? <EmptyFiltered onClear={onClear} /> : <EmptyState title={t('empty-title')}>{t('empty-text')}</EmptyState>)}
      {days.map((day) => (
        <DayList key={day.instant} day={formatDay(day.instant)}>
          {day.entries.map(({ id, event }) => (
            <li key={id}>
              <EventLine event={event} />
            </li>
          ))}
        </DayList>
      ))}
      {events.hasNextPage && (
        <div>
          <Button busy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            {t('load-more')}
          </Button>
        </div>
      )}
    </>
  );
}
