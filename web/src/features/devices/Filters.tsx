import { useQuery } from '@tanstack/react-query';
import { Search, SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { useCan } from '../../access/can.js';
import { listQuery } from '../../api/lists.js';
import { formatDate, formatPercent } from '../../i18n/format.js';
import { ariaKeysOf, keysOf } from '../../keyboard/shortcuts.js';
import { Button } from '../../ui/button/Button.js';
import { Chip } from '../../ui/chip/Chip.js';
import { Drawer } from '../../ui/drawer/Drawer.js';
import { Kbd } from '../../ui/kbd/Kbd.js';
import { isPhone, useMedia } from '../../ui/media.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import { AddCondition } from './AddCondition.js';
import { COLUMN_IDS, readColumns } from './columns.js';
import { type Condition, daysOf, type DeviceSearch, isFiltered, readCondition, withoutFilters } from './device-search.js';
import css from './DevicesPage.module.css';
import { PROPERTIES } from './properties.js';
import { t } from './texts.js';

interface FiltersProps {
  readonly search: DeviceSearch;
  readonly onChange: (search: DeviceSearch, replace?: boolean) => void;
  readonly disabled: boolean;
}

/** The search text settles before it is sent. */
const TYPING_MS = 250;

/** Everything that narrows the list down: each choice is part of the address. On a phone the choices are in a sheet. */
export function Filters({ search, onChange, disabled }: FiltersProps): ReactNode {
  const { data: tags } = useQuery(listQuery('tags'));
  const { data: groups } = useQuery({ ...listQuery('device-groups'), enabled: useCan('tenant.device-groups.read') });
  const isSmall = useMedia(isPhone);
  const [isOpen, setOpen] = useState(false);
  const menus = <FilterMenus {...{ search, onChange, disabled }} />;
  return (
    <div className={css.toolbar}>
      <SearchBox search={search} onChange={onChange} disabled={disabled} />
      {isSmall ? (
        <>
          <Button icon={SlidersHorizontal} disabled={disabled} onClick={() => setOpen(true)}>
            {t('filters')}
          </Button>
          <Drawer open={isOpen} onClose={() => setOpen(false)} title={t('filters')}>
            <div className={css.sheet}>{menus}</div>
          </Drawer>
        </>
      ) : (
        menus
      )}
      <Chips {...{ search, onChange }} names={new Map([...(tags ?? []), ...(groups ?? [])].map(({ id, name }) => [id, name]))} />
    </div>
  );
}

/** The choices, a menu each. */
function FilterMenus({ search, onChange, disabled }: FiltersProps): ReactNode {
  const { data: tags } = useQuery(listQuery('tags'));
  const { data: customers } = useQuery({ ...listQuery('customers'), enabled: useCan('tenant.customers.read') });
  const { data: groups } = useQuery({ ...listQuery('device-groups'), enabled: useCan('tenant.device-groups.read') });
  const chosenColumns = readColumns(search.cols);
  const toggled = (list: readonly string[] | undefined, id: string): readonly string[] | undefined => {
    const next = list?.includes(id) === true ? list.filter((each) => each !== id) : [...(list ?? []), id];
    return next.length === 0 ? undefined : next;
  };
  return (
    <>
      <MenuButton
        label={t('state')}
        disabled={disabled}
        entries={(['online', 'offline'] as const).map((state) => ({
          label: t(state),
          checked: search.state === state,
          onCheckedChange: (checked: boolean) => onChange({ ...search, state: checked ? state : undefined }),
        }))}
      />
      {customers !== undefined && customers.length > 0 && (
        <MenuButton
          label={t('customer')}
          disabled={disabled}
          entries={customers.map(({ id, name }) => ({
            label: name,
            checked: search.customer === id,
            onCheckedChange: (checked: boolean) => onChange({ ...search, customer: checked ? id : undefined }),
          }))}
        />
      )}
      {groups !== undefined && groups.length > 0 && (
        <MenuButton
          label={t('group')}
          disabled={disabled}
          entries={[
            ...groups.map(({ id, name }) => ({
              label: name,
              checked: search.group?.includes(id) === true,
              onCheckedChange: () => onChange({ ...search, group: toggled(search.group, id) }),
            })),
            null,
            {
              label: t('in-all'),
              checked: search.groups === 'all',
              onCheckedChange: (checked: boolean) => onChange({ ...search, groups: checked ? 'all' : undefined }),
            },
            {
              label: t('ungrouped'),
              checked: search.ungrouped === 'yes',
              onCheckedChange: (checked: boolean) => onChange({ ...search, ungrouped: checked ? 'yes' : undefined }),
            },
          ]}
        />
      )}
      {tags !== undefined && tags.length > 0 && (
        <MenuButton
          label={t('tag')}
          disabled={disabled}
          entries={[
            ...tags.map(({ id, name }) => ({
              label: name,
              checked: search.tag?.includes(id) === true,
              onCheckedChange: () => onChange({ ...search, tag: toggled(search.tag, id) }),
            })),
            null,
            {
              label: t('with-all'),
              checked: search.tags === 'all',
              onCheckedChange: (checked: boolean) => onChange({ ...search, tags: checked ? 'all' : undefined }),
            },
            {
              label: t('untagged'),
              checked: search.untagged === 'yes',
              onCheckedChange: (checked: boolean) => onChange({ ...search, untagged: checked ? 'yes' : undefined }),
            },
          ]}
        />
      )}
      <AddCondition disabled={disabled} onAdd={(condition) => onChange({ ...search, f: [...(search.f ?? []), condition] })} />
      <MenuButton
        label={t('columns')}
        disabled={disabled}
        entries={COLUMN_IDS.filter((id) => id !== 'name').map((id) => ({
          label: t(`column-${id}`),
          checked: chosenColumns.includes(id),
          onCheckedChange: (checked: boolean) => {
            const next = checked ? [...chosenColumns, id] : chosenColumns.filter((each) => each !== id);
            onChange({ ...search, cols: COLUMN_IDS.filter((each) => next.includes(each)).join(',') }, true);
          },
        }))}
      />
    </>
  );
}

interface ChipsProps {
  readonly search: DeviceSearch;
  readonly onChange: (search: DeviceSearch) => void;
  readonly names: ReadonlyMap<string, string>;
}

/** What the list is narrowed down by, each with a cross. The customer has its own in the bar over every page. */
function Chips({ search, onChange, names }: ChipsProps): ReactNode {
  if (!isFiltered({ ...search, q: undefined, customer: undefined })) return null;
  const nameOf = (id: string): string => names.get(id) ?? id;
  const without = (list: readonly string[] | undefined, id: string): readonly string[] | undefined => {
    const next = list?.filter((each) => each !== id);
    return next?.length === 0 ? undefined : next;
  };
  return (
    <div className={css.chips}>
      {search.state !== undefined && <Chip label={t(search.state)} onRemove={() => onChange({ ...search, state: undefined })} />}
      {search.group?.map((id) => (
        <Chip key={id} label={`${t('group')}: ${nameOf(id)}`} onRemove={() => onChange({ ...search, group: without(search.group, id) })} />
      ))}
      {search.tag?.map((id) => (
        <Chip key={id} label={`${t('tag')}: ${nameOf(id)}`} onRemove={() => onChange({ ...search, tag: without(search.tag, id) })} />
      ))}
      {search.ungrouped === 'yes' && <Chip label={t('ungrouped')} onRemove={() => onChange({ ...search, ungrouped: undefined })} />}
      {search.untagged === 'yes' && <Chip label={t('untagged')} onRemove={() => onChange({ ...search, untagged: undefined })} />}
      {search.f?.map((text) => (
        <Chip key={text} label={describe(text)} onRemove={() => onChange({ ...search, f: without(search.f, text) })} />
      ))}
      <Button look="quiet" icon={X} onClick={() => onChange({ ...withoutFilters(search), q: search.q })}>
        {t('clear-filters')}
      </Button>
    </div>
  );
}

/** A condition in words. */
function describe(text: string): string {
  const condition = readCondition(text);
  if (condition === null) return text;
  return `${t(`property-${condition.property}`)} ${t(`operator-${condition.operator}`)} ${shownValue(condition)}`;
}

/** The value as it was typed: shares in percent, instants as days, ages in words. */
function shownValue({ property, value }: Condition): string {
  const kind = PROPERTIES[property];
  if (kind === 'share') return formatPercent(Number(value));
  const days = kind === 'instant' ? daysOf(value) : null;
  if (days !== null) return t('days-ago', { count: days });
  return kind === 'instant' && !Number.isNaN(Date.parse(value)) ? formatDate(value) : value;
}

function SearchBox({ search, onChange, disabled }: FiltersProps): ReactNode {
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
      <Search size={16} strokeWidth={1.75} aria-hidden />
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
