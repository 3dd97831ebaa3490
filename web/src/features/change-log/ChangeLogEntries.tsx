import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import { formatDay, formatInstant, formatNumber, formatTime } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { Diff } from '../../ui/diff/Diff.js';
import { Drawer } from '../../ui/drawer/Drawer.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import css from './ChangeLogPage.module.css';
import { byDay } from './days.js';
import { type Entry, type NameOf, stateOf } from './entry.js';
import { useNames } from './names.js';
import { changeLogQuery, type Log } from '../../api/access/change-log.js';
import { type ChangeLogAddress, isFiltered } from '../../model/change-log-search.js';
import { TARGETS } from './kinds.js';
import { actorOf, sentenceOf, targetOf } from './sentence.js';
import { t } from './texts.js';

interface ChangeLogEntriesProps {
  readonly log: Log;
  readonly search: ChangeLogAddress;
  /** Part of the search that the surrounding page sets, so that users cannot clear it. */
  readonly isGiven?: boolean;
  readonly onSearch: (search: ChangeLogAddress) => void;
}

/** The entries of a change log by day, each with its details in a drawer. */
export function ChangeLogEntries({ log, search, isGiven = false, onSearch }: ChangeLogEntriesProps): ReactNode {
  const changes = useInfiniteQuery(changeLogQuery(log, search));
  const nameOf = useNames();
  const entries = useMemo(() => changes.data?.pages.flatMap(({ items }) => items ?? []), [changes.data]);
  const days = useMemo(() => byDay(entries ?? []), [entries]);
  const total = changes.data?.pages.at(-1)?.totalItems;
  const opened = entries?.find(({ id }) => id === search.entry);
  return (
    <>
      {entries === undefined ? (
        changes.error === null ? (
          <SkeletonList columns={[1, 8, 2]} />
        ) : (
          <ErrorState error={changes.error} onRetry={() => void changes.refetch()} />
        )
      ) : (
        <>
          {days.length === 0 && (isFiltered(search) && !isGiven ? <NoMatch log={log} onClear={() => onSearch({})} /> : <Empty />)}
          {days.map((day) => (
            <section key={day.instant} className={css.day}>
              <h2 className={css.date}>{formatDay(day.instant)}</h2>
              <ul className={css.entries}>
                {day.entries.map((entry) => (
                  <li key={entry.id}>
                    <EntryButton
                      {...{ entry, nameOf }}
                      isOpen={entry.id === search.entry}
                      onOpen={() => onSearch({ ...search, entry: entry.id })}
                    />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {changes.error !== null && <ErrorState error={changes.error} onRetry={() => void changes.fetchNextPage()} />}
          {changes.hasNextPage && (
            <div className={css.foot}>
              <Button busy={changes.isFetchingNextPage} onClick={() => void changes.fetchNextPage()}>
                {t('load-more')}
              </Button>
              <span className="meta">{t('loaded', { shown: formatNumber(entries.length), count: total ?? 0 })}</span>
            </div>
          )}
        </>
      )}
      <Drawer
        wide
        open={opened !== undefined}
        onClose={() => onSearch({ ...search, entry: undefined })}
        title={opened === undefined ? '' : sentenceOf(opened, nameOf)}
      >
        {opened !== undefined && <Details entry={opened} nameOf={nameOf} />}
      </Drawer>
    </>
  );
}

/** Shown when the filters leave nothing. The number without them has often been read before. */
function NoMatch({ log, onClear }: { readonly log: Log; readonly onClear: () => void }): ReactNode {
  const all = useInfiniteQuery(changeLogQuery(log, {}));
  return <EmptyFiltered onClear={onClear} total={all.data?.pages[0]?.totalItems} />;
}

const Empty = (): ReactNode => <EmptyState title={t('empty-title')}>{t('empty-text')}</EmptyState>;

interface EntryProps {
  readonly entry: Entry;
  readonly nameOf: NameOf;
}

function EntryButton({ entry, nameOf, isOpen, onOpen }: EntryProps & { readonly isOpen: boolean; readonly onOpen: () => void }): ReactNode {
  return (
    <button type="button" className={css.entry} aria-haspopup="dialog" aria-expanded={isOpen} onClick={onOpen}>
      <time className={css.time} dateTime={entry.createdAt} title={formatInstant(entry.createdAt)}>
        {formatTime(entry.createdAt)}
      </time>
      <span className={css.sentence}>{sentenceOf(entry, nameOf)}</span>
      <span className={css.kind}>{kindOf(entry)}</span>
      <span className={css.address}>{entry.ipAddress}</span>
    </button>
  );
}

/** Everything that an entry holds. */
function Details({ entry, nameOf }: EntryProps): ReactNode {
  const { actorPrincipalId, targetId, targetType, ipAddress, userCorrelationId, sessionCorrelationId } = entry;
  return (
    <div className="stack">
      <PropertyList>
        <Property term={t('time')}>{formatInstant(entry.createdAt)}</Property>
        <Property term={t('actor')}>{actorOf(entry, nameOf)}</Property>
        <Property term={t('actor-id')} mono copy={actorPrincipalId ?? undefined}>
          {actorPrincipalId}
        </Property>
        <Property term={t('target')}>{`${kindOf(entry)} ${targetOf(entry, nameOf)}`.trim()}</Property>
        <Property term={t('target-id')} mono copy={targetId ?? undefined}>
          {targetId}
        </Property>
        <Property term={t('address')} mono copy={ipAddress ?? undefined}>
          {ipAddress}
        </Property>
        <Property term={t('action')} mono>
          {entry.actionType}
        </Property>
        {userCorrelationId !== null && <Property term={t('correlation-user')}>{userCorrelationId}</Property>}
        {sessionCorrelationId !== null && <Property term={t('correlation-session')}>{sessionCorrelationId}</Property>}
        <Property term={t('id')} mono copy={entry.id}>
          {entry.id}
        </Property>
      </PropertyList>
      <h3>{t('changes')}</h3>
      <Diff before={stateOf(entry.beforeJson)} after={stateOf(entry.afterJson)} />
      {targetType === 'Device' && targetId !== null && entry.actionType !== 'device-deleted' && (
        <div>
          <LinkButton to="/devices/$deviceId" params={{ deviceId: targetId }}>
            {t('open-device')}
          </LinkButton>
        </div>
      )}
    </div>
  );
}

function kindOf({ targetType }: Entry): string {
  const kind = TARGETS.find((target) => target === targetType);
  return kind === undefined ? targetType : t(`target-${kind}`);
}
