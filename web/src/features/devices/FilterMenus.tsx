import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { useCan } from '../../access/can.js';
import { listQuery } from '../../api/lists.js';
import { Button } from '../../ui/button/Button.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import { isPhone, useMedia } from '../../ui/media.js';
import type { MenuCheck } from '../../ui/menu/entries.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import type { DeviceSearch } from '../../model/devices/device-search.js';
import { t as later } from './later-texts.js';
import { t } from '../../parts/devices/texts.js';
import { AddCondition } from './AddCondition.js';
import { ChooseColumns } from './ChooseColumns.js';
import type { FiltersProps, ValuesProps } from './filters-props.js';

const loadSheet = async (): Promise<typeof import('./FilterSheet.js')> => import('./FilterSheet.js');
const FilterSheet = lazy(async () => ({ default: (await loadSheet()).FilterSheet }));

/** With more values than these, a filter has a search for them. */
const MOST_IN_MENU = 12;

const SearchedFilter = lazy(async () => ({ default: (await import('./SearchedFilter.js')).SearchedFilter }));

interface Named {
  readonly id: string;
  readonly name: string;
}

interface FilterMenusProps extends FiltersProps {
  readonly tags: readonly Named[] | undefined;
  readonly groups: readonly Named[] | undefined;
}

/** The choices that narrow the list down: beside each other, on a phone in a sheet. Their code comes after the first rows. */
export function FilterMenus(props: FilterMenusProps): ReactNode {
  const isSmall = useMedia(isPhone);
  const menus = <Menus {...props} />;
  return isSmall ? <SheetButton disabled={props.disabled}>{menus}</SheetButton> : menus;
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

/** The choices, a menu each. */
function Menus({ search, onChange, disabled, tags, groups }: FilterMenusProps): ReactNode {
  const { data: customers } = useQuery({ ...listQuery('customers'), enabled: useCan('tenant.customers.read') });
  const toggled = (list: readonly string[] | undefined, id: string): readonly string[] | undefined => {
    const next = list?.includes(id) === true ? list.filter((each) => each !== id) : [...(list ?? []), id];
    return next.length === 0 ? undefined : next;
  };
  const only = <Key extends 'state' | 'customer' | 'groups' | 'ungrouped' | 'tags' | 'untagged'>(
    label: string,
    key: Key,
    value: DeviceSearch[Key],
  ): MenuCheck => ({
    label,
    checked: search[key] === value,
    onCheckedChange: (checked: boolean) => onChange((now) => ({ ...now, [key]: checked ? value : undefined })),
  });
  const each = (key: 'group' | 'tag', list: readonly Named[]): MenuCheck[] =>
    list.map(({ id, name }) => ({
      label: name,
      checked: search[key]?.includes(id) === true,
      onCheckedChange: () => onChange((now) => ({ ...now, [key]: toggled(now[key], id) })),
    }));
  return (
    <>
      <MenuButton
        label={t('state')}
        disabled={disabled}
        entries={(['online', 'offline'] as const).map((state) => only(t(state), 'state', state))}
      />
      {customers !== undefined && customers.length > 0 && (
        <Values label={t('customer')} disabled={disabled} values={customers.map(({ id, name }) => only(name, 'customer', id))} />
      )}
      {groups !== undefined && groups.length > 0 && (
        <Values
          label={later('group')}
          disabled={disabled}
          values={each('group', groups)}
          others={[only(later('in-all'), 'groups', 'all'), only(later('ungrouped'), 'ungrouped', 'yes')]}
        />
      )}
      {tags !== undefined && tags.length > 0 && (
        <Values
          label={later('tag')}
          disabled={disabled}
          values={each('tag', tags)}
          others={[only(later('with-all'), 'tags', 'all'), only(later('untagged'), 'untagged', 'yes')]}
        />
      )}
      <AddCondition disabled={disabled} onAdd={(condition) => onChange((now) => ({ ...now, f: [...(now.f ?? []), condition] }))} />
      <ChooseColumns
        cols={search.cols}
        // Another choice of columns is no other list: Back leads to the page before.
        onChange={(choose) => onChange((now) => ({ ...now, cols: choose(now.cols) }), true)}
        disabled={disabled}
      />
    </>
  );
}

/** The values of a filter: a menu, or with many of them a list with a search. */
function Values(props: ValuesProps): ReactNode {
  const { label, disabled, values, others = [] } = props;
  if (values.length <= MOST_IN_MENU) return <MenuButton label={label} disabled={disabled} entries={[...values, null, ...others]} />;
  return (
    <Suspense fallback={<Button aria-busy>{label}</Button>}>
      <SearchedFilter {...props} />
    </Suspense>
  );
}
