import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

import { formatNumber } from '../../../i18n/format.js';
import type { DeviceSearch } from '../../../model/devices/device-search.js';
import { countQuery, viewsQuery } from './queries.js';
import { t } from './texts.js';
import { BUILT_IN, isSame } from './view.js';
import css from './ViewList.module.css';

/** The views of the list of devices as links, each with its number of devices. */
export function ViewList(): ReactNode {
  const { customer } = useSearch({ strict: false });
  const own = useQuery(viewsQuery);
  const isListed = useLocation({ select: ({ pathname }) => pathname === '/devices' });
  const list = useRef<HTMLDivElement>(null);
  const views = own.data?.length ?? 0;
  // The views come after the page and push the entries below them down: the current one comes back into sight.
  useEffect(() => {
    list.current?.closest('nav')?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [views]);
  return (
    <div ref={list} className={css.views} role="group" aria-label={t('views')}>
      {BUILT_IN.map(({ id, search }) => (
        <ViewLink key={id} name={t(`view-${id}`)} search={{ customer, ...search }} isListed={isListed} />
      ))}
      {own.data?.map(({ id, name, search }) => (
        <ViewLink key={id} name={name} search={{ customer, ...search, view: id }} isListed={isListed} isOwn />
      ))}
    </div>
  );
}

interface ViewLinkProps {
  readonly name: string;
  readonly search: DeviceSearch;
  /** The list is on the page: only then its devices are counted. */
  readonly isListed: boolean;
  readonly isOwn?: boolean;
}

function ViewLink({ name, search, isListed, isOwn = false }: ViewLinkProps): ReactNode {
  const { data: count } = useQuery({ ...countQuery(search), enabled: isListed });
  const shown = useSearch({ strict: false });
  // Compared as the list reads its address: a condition alone is a text there, and a list in a view.
  const isShown = isListed && shown.view === search.view && isSame(shown, search);
  return (
    <Link
      to="/devices"
      search={search}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isShown ? 'page' : undefined}
      className={css.link}
      title={name}
    >
      {isOwn && <span aria-hidden>★</span>}
      <span className="cut grow">{name}</span>
      {count !== undefined && <span className={css.count}>{formatNumber(count)}</span>}
    </Link>
  );
}
