import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import { actsQuery, entriesOfAct, type Log } from '../../api/access/change-log.js';
import { formatDay } from '../../i18n/format.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { Drawer } from '../../ui/drawer/Drawer.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { DayList } from '../../ui/part-list/DayList.js';
import { ActLine } from './ActLine.js';
import { linesOf } from './acts.js';
import css from './ChangeLogPage.module.css';
import { byDay } from '../../model/days.js';
import type { Entry } from './entry.js';
import { EntryDetails } from './EntryDetails.js';
import { filterOf, isFiltered } from './kinds.js';
import { namesOf } from './names.js';
import { sentenceOf } from './sentence.js';
import { t } from './texts.js';

interface ChangeLogEntriesProps {
  readonly log: Log;
  readonly search: ChangeLogAddress;
  /** Opens the details of an entry; undefined closes them. */
  readonly onEntry: (entry: string | undefined) => void;
  /** Searches the whole log, instead of what the page shows of it. */
  readonly onFilter: (search: ChangeLogAddress) => void;
  /** Clears the filters; without it the surrounding page sets them. */
  readonly onClear?: () => void;
}

/** Acts by day: each act is a line, and each entry has its details in a drawer. */
export function ChangeLogEntries({ log, search, onEntry, onFilter, onClear }: ChangeLogEntriesProps): ReactNode {
  const acts = useInfiniteQuery(actsQuery(log, filterOf(search)));
  const lines = useMemo(() => (acts.data === undefined ? undefined : linesOf(acts.data.pages.flatMap(({ items }) => items))), [acts.data]);
  const days = useMemo(() => byDay(lines ?? []), [lines]);
  const first = acts.data?.pages[0];
  return (
    <>
      {lines === undefined ? (
        acts.error === null ? (
          <SkeletonList columns={[1, 8, 2]} />
        ) : (
          <ErrorState error={acts.error} onRetry={() => void acts.refetch()} />
        )
      ) : (
        <>
          {first?.isIncomplete === true && <Banner look="info">{t('incomplete')}</Banner>}
          {first?.isNarrowed === true && <Banner look="info">{t('narrowed')}</Banner>}
          {days.length === 0 && (isFiltered(search) && onClear !== undefined ? <EmptyFiltered onClear={onClear} /> : <Empty />)}
          {days.map((day) => (
            <DayList key={day.instant} day={formatDay(day.instant)}>
              {day.entries.map((line) => (
                <li key={line.id}>
                  <ActLine {...{ line, log }} opened={search.entry} onOpen={onEntry} />
                </li>
              ))}
            </DayList>
          ))}
          {acts.error !== null && <ErrorState error={acts.error} onRetry={() => void acts.fetchNextPage()} />}
          {acts.hasNextPage && (
            <div className={css.foot}>
              <Button busy={acts.isFetchingNextPage} onClick={() => void acts.fetchNextPage()}>
                {t('load-more')}
              </Button>
            </div>
          )}
          <OpenedEntry
            {...{ log, onFilter }}
            id={search.entry}
            known={lines.flatMap(({ entries }) => entries).find(({ id }) => id === search.entry)}
            onClose={() => onEntry(undefined)}
          />
        </>
      )}
    </>
  );
}

const Empty = (): ReactNode => <EmptyState title={t('empty-title')}>{t('empty-text')}</EmptyState>;

interface OpenedEntryProps {
  readonly log: Log;
  readonly id: string | undefined;
  /** The entry, if the list holds it; another one is read by itself. */
  readonly known: Entry | undefined;
  readonly onClose: () => void;
  readonly onFilter: (search: ChangeLogAddress) => void;
}

/** The drawer with the details of the entry that the address names. */
function OpenedEntry({ log, id, known, onClose, onFilter }: OpenedEntryProps): ReactNode {
  const read = useInfiniteQuery({ ...entriesOfAct(log, id ?? ''), enabled: id !== undefined && known === undefined });
  const entry = known ?? read.data?.pages.flatMap(({ items }) => items).find((each) => each.id === id);
  const isOpen = id !== undefined && (entry !== undefined || read.error !== null || read.isSuccess);
  return (
    <Drawer wide open={isOpen} onClose={onClose} title={entry === undefined ? t('title') : sentenceOf(entry, namesOf(entry))}>
      {entry !== undefined && <EntryDetails {...{ entry, log, onFilter }} nameOf={namesOf(entry)} />}
      {entry === undefined && read.error !== null && <ErrorState error={read.error} onRetry={() => void read.refetch()} />}
      {entry === undefined && read.isSuccess && <p>{t('entry-gone')}</p>}
    </Drawer>
  );
}
