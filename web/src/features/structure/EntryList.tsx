import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';

import { formatNumber } from '../../i18n/format.js';
import { sortRows } from '../../ui/data-table/sorting.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EntryName } from './EntryName.js';
import css from './EntryList.module.css';
import { entriesQuery, type Kind, RESOURCES } from './resources.js';
import { t } from './texts.js';

/** Up to this number there is no filter: looking is faster than typing. */
const FEW = 12;

interface EntryListProps {
  readonly kind: Kind;
  /** The one whose page is open. */
  readonly currentId: string;
}

/** All customers, groups or tags with their counts, to go from one to the next. The page beside it reports errors. */
export function EntryList({ kind, currentId }: EntryListProps): ReactNode {
  const { data, isPending } = useQuery(entriesQuery(kind));
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const entries = useMemo(() => sortRows(data ?? [], ({ name }) => name.toLowerCase(), false), [data]);
  const hasFilter = entries.length > FEW;
  const shown = hasFilter ? entries.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) : entries;
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [currentId, filter, isPending]);
  return (
    <nav className={css.pane} aria-label={t(`${kind}-title`)}>
      {hasFilter && (
        <div>
          <SearchField label={t(`${kind}-filter`)} value={filter} onSearch={setFilter} isMain={false} />
        </div>
      )}
      {isPending && <SkeletonList rows={FEW} columns={[4, 1]} />}
      {hasFilter && shown.length === 0 && <p className={css.none}>{t('no-match')}</p>}
      <ul ref={list} className={css.list}>
        {shown.map(({ id, name, deviceCount }) => (
          <li key={id}>
            <Link {...RESOURCES[kind].page(id)} className={css.entry}>
              <span className={css.name} title={name}>
                <EntryName kind={kind} name={name} />
              </span>
              {deviceCount !== null && <span className={css.count}>{formatNumber(deviceCount)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
