import { useQuery } from '@tanstack/react-query';
import { Search, SlidersHorizontal } from 'lucide';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

import { useCan } from '../../access/can.js';
import { listQuery } from '../../api/lists.js';
import { ariaKeysOf, keysOf } from '../../keyboard/shortcuts.js';
import { Button } from '../../ui/button/Button.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import { Icon } from '../../ui/icon/Icon.js';
import { Kbd } from '../../ui/kbd/Kbd.js';
import { isPhone, useMedia } from '../../ui/media.js';
import type { MenuEntry } from '../../ui/menu/entries.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import { AddCondition } from './AddCondition.js';
import { ChooseColumns } from './ChooseColumns.js';
import { type DeviceSearch, isFiltered } from '../../model/devices/device-search.js';
import css from './DevicesPage.module.css';
import { t } from '../../parts/devices/texts.js';

const FilterChips = lazy(async () => ({ default: (await import('./FilterChips.js')).FilterChips }));
const loadSheet = async (): Promise<typeof import('./FilterSheet.js')> => import('./FilterSheet.js');
const FilterSheet = lazy(async () => ({ default: (await loadSheet()).FilterSheet }));

interface FiltersProps {
  readonly search: DeviceSearch;
  readonly onChange: (search: DeviceSearch, replace?: boolean) => void;
  /** Gets the columns as the address holds them. */
  readonly onColumns: (cols: string | undefined) => void;
  readonly disabled: boolean;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The search text settles before it is sent. */
const TYPING_MS = 250;

/** Everything that narrows the list down: each choice is part of the address. On a phone the choices are in a sheet. */
export function Filters({ search, onChange, onColumns, disabled }: FiltersProps): ReactNode {
  const { data: tags } = useQuery(listQuery('tags'));
  const { data: groups } = useQuery({ ...listQuery('device-groups'), enabled: useCan('tenant.device-groups.read') });
  const isSmall = useMedia(isPhone);
  const menus = <FilterMenus {...{ search, onChange, onColumns, disabled, tags, groups }} />;
  return (
    <div className={css.toolbar}>
      <SearchBox search={search} onChange={onChange} disabled={disabled} />
      {isSmall ? <SheetButton disabled={disabled}>{menus}</SheetButton> : menus}
      {isFiltered({ ...search, q: undefined, customer: undefined }) && (
        <Suspense fallback={<div className={css.chips} aria-busy />}>
          <FilterChips {...{ search, onChange }} names={new Map([...(tags ?? []), ...(groups ?? [])].map(({ id, name }) => [id, name]))} />
        </Suspense>
      )}
    </div>
  );
}

/** Opens the choices in a sheet. */
function SheetButton({ disabled, children }: { readonly disabled: boolean; readonly children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useFirstOpening(isOpen, loadSheet);
  return (
    <>
      <Button icon={SlidersHorizontal} disabled={disabled} onClick={() => setOpen(true)}>
        {t('filters')}
      </Button>
      {wasOpened && (
        <Suspense>
          <FilterSheet open={isOpen} onClose={() => setOpen(false)}>
            {children}
          </FilterSheet>
        </Suspense>
      )}
    </>
  );
}

interface FilterMenusProps extends FiltersProps {
  readonly tags: readonly Named[] | undefined;
  readonly groups: readonly Named[] | undefined;
}

/** The choices, a menu each. */
function FilterMenus({ search, onChange, onColumns, disabled, tags, groups }: FilterMenusProps): ReactNode {
  const { data: customers } = useQuery({ ...listQuery('customers'), enabled: useCan('tenant.customers.read') });
  const toggled = (list: readonly string[] | undefined, id: string): readonly string[] | undefined => {
    const next = list?.includes(id) === true ? list.filter((each) => each !== id) : [...(list ?? []), id];
    return next.length === 0 ? undefined : next;
  };
  const only = <Key extends 'state' | 'customer' | 'groups' | 'ungrouped' | 'tags' | 'untagged'>(
    label: string,
    key: Key,
    value: DeviceSearch[Key],
  ): MenuEntry => ({
    label,
    checked: search[key] === value,
    onCheckedChange: (checked: boolean) => onChange({ ...search, [key]: checked ? value : undefined }),
  });
  const each = (key: 'group' | 'tag', list: readonly Named[]): MenuEntry[] =>
    list.map(({ id, name }) => ({
      label: name,
      checked: search[key]?.includes(id) === true,
      onCheckedChange: () => onChange({ ...search, [key]: toggled(search[key], id) }),
    }));
  return (
    <>
      <MenuButton
        label={t('state')}
        disabled={disabled}
        entries={(['online', 'offline'] as const).map((state) => only(t(state), 'state', state))}
      />
      {customers !== undefined && customers.length > 0 && (
        <MenuButton label={t('customer')} disabled={disabled} entries={customers.map(({ id, name }) => only(name, 'customer', id))} />
      )}
      {groups !== undefined && groups.length > 0 && (
        <MenuButton
          label={t('group')}
          disabled={disabled}
          entries={[...each('group', groups), null, only(t('in-all'), 'groups', 'all'), only(t('ungrouped'), 'ungrouped', 'yes')]}
        />
      )}
      {tags !== undefined && tags.length > 0 && (
        <MenuButton
          label={t('tag')}
          disabled={disabled}
          entries={[...each('tag', tags), null, only(t('with-all'), 'tags', 'all'), only(t('untagged'), 'untagged', 'yes')]}
        />
      )}
      <AddCondition disabled={disabled} onAdd={(condition) => onChange({ ...search, f: [...(search.f ?? []), condition] })} />
      <ChooseColumns cols={search.cols} onChange={onColumns} disabled={disabled} />
    </>
  );
}

function SearchBox({ search, onChange, disabled }: Omit<FiltersProps, 'onColumns'>): ReactNode {
  const [text, setText] = useState(search.q ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(search.q ?? ''), [search.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (value: string): void => {
    clearTimeout(timer.current);
    onChange({ ...search, q: value.trim() === '' ? undefined : value }, search.q !== undefined);
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
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
        }}
      />
      {text === '' && <Kbd keys={keysOf('search')} />}
    </div>
  );
}
