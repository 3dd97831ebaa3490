import type { ReactNode } from 'react';

import { MenuButton } from '../../ui/menu/MenuButton.js';
import type { DeviceSearch } from './device-search.js';
import { t } from './texts.js';
import { useViewActs } from './views/useViewActs.js';

interface ListMenuProps {
  readonly search: DeviceSearch;
  readonly onChange: (search: DeviceSearch, replace?: boolean) => void;
}

/** What can be done with the list as a whole: kept as a view. Its code comes after the first rows. */
export function ListMenu({ search, onChange }: ListMenuProps): ReactNode {
  const views = useViewActs(search, onChange);
  return (
    <>
      <MenuButton label={t('list-menu')} hideLabel look="plain" entries={views.entries} />
      {views.dialog}
    </>
  );
}
