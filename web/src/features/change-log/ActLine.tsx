import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide';
import { type ReactNode, useId, useState } from 'react';

import { entriesOfAct, type Log } from '../../api/access/change-log.js';
import { formatInstant, formatNumber, formatTime } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { Icon } from '../../ui/icon/Icon.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { type Line, onePrincipalOf } from './acts.js';
import css from './ChangeLogPage.module.css';
import type { Entry } from './entry.js';
import { namesOf } from './names.js';
import { actorOf, kindOf, sentenceOf } from './sentence.js';
import { t } from './texts.js';

interface LineProps {
  readonly log: Log;
  /** The entry whose details are open. */
  readonly opened: string | undefined;
  readonly onOpen: (entryId: string) => void;
}

/** An act as one line, which opens if it has several entries. */
export function ActLine({ line, ...shared }: LineProps & { readonly line: Line }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { opened, onOpen } = shared;
  if (line.total === 1) return <EntryButton entry={line.head} isOpen={line.head.id === opened} onOpen={onOpen} />;
  return (
    <>
      <button type="button" className={css.entry} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Time at={line.createdAt} />
        <span className={css.sentence}>
          {summaryOf(line)}
          <span className={css.more}>
            <Icon of={ChevronRight} className={isOpen ? css.turned : undefined} />
            {t('changes-together', { count: line.total })}
          </span>
        </span>
        <span className={css.kind}>{kindOf(line.head)}</span>
        <span className={css.address}>{line.head.ipAddress}</span>
      </button>
      <div id={id} className={css.inner} hidden={!isOpen}>
        {isOpen && <Inner line={line} {...shared} />}
      </div>
    </>
  );
}

/** The entries of a line; of a large act the rest at will. */
function Inner({ line, log, ...shared }: LineProps & { readonly line: Line }): ReactNode {
  const [readsAll, setReadsAll] = useState(false);
  return (
    <>
      {readsAll ? (
        line.acts.map((act) => <WholeAct key={act} {...{ act, log }} {...shared} />)
      ) : (
        <>
          <Entries entries={line.entries} {...shared} />
          {line.entries.length < line.total && <Button onClick={() => setReadsAll(true)}>{t('show-all', { count: line.total })}</Button>}
        </>
      )}
    </>
  );
}

function WholeAct({ act, log, ...shared }: LineProps & { readonly act: string }): ReactNode {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(entriesOfAct(log, act));
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Entries entries={entries} {...shared} />
      {(isPending || hasNextPage) && (
        <Button busy={isPending || isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('load-more')}
        </Button>
      )}
    </>
  );
}

function Entries({ entries, opened, onOpen }: Omit<LineProps, 'log'> & { readonly entries: readonly Entry[] }): ReactNode {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.id}>
          <EntryButton {...{ entry, onOpen }} isOpen={entry.id === opened} />
        </li>
      ))}
    </ul>
  );
}

interface EntryProps {
  readonly entry: Entry;
  readonly isOpen: boolean;
  readonly onOpen: (entryId: string) => void;
}

function EntryButton({ entry, isOpen, onOpen }: EntryProps): ReactNode {
  return (
    <button type="button" className={css.entry} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => onOpen(entry.id)}>
      <Time at={entry.createdAt} />
      <span className={css.sentence}>{sentenceOf(entry, namesOf(entry))}</span>
      <span className={css.kind}>{kindOf(entry)}</span>
      <span className={css.address}>{entry.ipAddress}</span>
    </button>
  );
}

const Time = ({ at }: { readonly at: string }): ReactNode => (
  <time className={css.time} dateTime={at} title={formatInstant(at)}>
    {formatTime(at)}
  </time>
);

/** A line in words: the number of permissions where all are one principal's, else the sentence of the entry that caused the others. */
function summaryOf(line: Line): string {
  const { head, total } = line;
  const nameOf = namesOf(head);
  const principal = onePrincipalOf(line);
  if (principal === undefined) return sentenceOf(head, nameOf);
  const values = { actor: actorOf(head, nameOf), principal: nameOf(principal.id) ?? '', shown: formatNumber(total) };
  return t(principal.isGiven ? 'sentence-gave-several' : 'sentence-took-several', values);
}
