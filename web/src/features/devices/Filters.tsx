import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

import { useCan } from '../../access/can.js';
import { listQuery } from '../../api/lists.js';
import { lazyAfterFirstPage } from '../../first-load/first-page.js';
import { ariaKeysOf, keysOf } from '../../keyboard/shortcuts.js';
import { Button } from '../../ui/button/Button.js';
import { Icon } from '../../ui/icon/Icon.js';
import { Kbd } from '../../ui/kbd/Kbd.js';
import { isFiltered } from '../../model/devices/device-search.js';
import css from './DevicesPage.module.css';
import type { FiltersProps } from './filters-props.js';
import { t } from '../../parts/devices/texts.js';

const FilterChips = lazy(async () => ({ default: (await import('./FilterChips.js')).FilterChips }));
const FilterMenus = lazyAfterFirstPage(async () => (await import('./FilterMenus.js')).FilterMenus);

/** The search text settles before it is sent. */
const TYPING_MS = 250;

/** Everything that narrows the list down: each choice is part of the address. */
export function Filters(props: FiltersProps): ReactNode {
  const { search, onChange, disabled } = props;
  const { data: tags } = useQuery(listQuery('tags'));
  const { data: groups } = useQuery({ ...listQuery('device-groups'), enabled: useCan('tenant.device-groups.read') });
  return (
    <div className={css.toolbar}>
      <SearchBox search={search} onChange={onChange} disabled={disabled} />
      <Suspense fallback={<Button aria-busy>{t('filters')}</Button>}>
        <FilterMenus {...props} {...{ tags, groups }} />
      </Suspense>
      {isFiltered({ ...search, q: undefined, customer: undefined }) && (
        <Suspense fallback={<div className={css.chips} aria-busy />}>
          <FilterChips {...{ search, onChange }} names={new Map([...(tags ?? []), ...(groups ?? [])].map(({ id, name }) => [id, name]))} />
        </Suspense>
      )}
    </div>
  );
}

function SearchBox({ search, onChange, disabled }: FiltersProps): ReactNode {
  const [text, setText] = useState(search.q ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // What is typed while the page is on its way to the search before stays.
    if (timer.current === undefined) setText(search.q ?? '');
  }, [search.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (value: string): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    onChange((now) => ({ ...now, q: value.trim() === '' ? undefined : value }), search.q !== undefined);
  };
  return (
    <div className={css.search} role="search">
      <Icon of={Search} />
      <input
        type="search"
        aria-label={t('search')}
        aria-keyshortcuts={ariaKeysOf('search')}
        data-page-search
        placeholder={t('search-placeholder')}
        maxLength={256}
        value={text}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(value), TYPING_MS);
        }}
        // A search that starts after a click on a link would take the user back to the list.
        onBlur={() => {
          if (text !== (search.q ?? '')) send(text);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
        }}
      />
      {text === '' && <Kbd keys={keysOf('search')} />}
    </div>
  );
}
