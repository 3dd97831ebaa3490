import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { useCan } from '../../access/can.js';
import { listQuery } from '../../api/lists.js';
import { Button } from '../../ui/button/Button.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import { isPhone, useMedia } from '../../ui/media.js';
import type { MenuEntry } from '../../ui/menu/entries.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import type { DeviceSearch } from '../../model/devices/device-search.js';
import { t } from '../../parts/devices/texts.js';
import { AddCondition } from './AddCondition.js';
import { ChooseColumns } from './ChooseColumns.js';
import type { FiltersProps } from './filters-props.js';

const loadSheet = async (): Promise<typeof import('./FilterSheet.js')> => import('./FilterSheet.js');
const FilterSheet = lazy(async () => ({ default: (await loadSheet()).FilterSheet }));

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
function Menus({ search, onChange, onColumns, disabled, tags, groups }: FilterMenusProps): ReactNode {
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
