import { Download } from 'lucide';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { MenuButton } from '../../ui/menu/MenuButton.js';
import type { DeviceSearch, DeviceSearchChange } from '../../model/devices/device-search.js';
import { t } from './later-texts.js';
import { useViewActs } from './views/useViewActs.js';

const DeviceExport = lazy(async () => ({ default: (await import('./export/DeviceExport.js')).DeviceExport }));

interface ListMenuProps {
  readonly search: DeviceSearch;
  readonly onChange: (change: DeviceSearchChange, replace?: boolean) => void;
}

/** Actions on the list as a whole: save it as a view, write it into a file. Its code comes after the first rows. */
export function ListMenu({ search, onChange }: ListMenuProps): ReactNode {
  const views = useViewActs(search, onChange);
  const [exported, setExported] = useState<DeviceSearch | null>(null);
  return (
    <>
      <MenuButton
        label={t('list-menu')}
        hideLabel
        look="plain"
        entries={[...views.entries, null, { label: t('export'), icon: Download, onSelect: () => setExported(search) }]}
      />
      {views.dialog}
      {exported !== null && (
        <Suspense>
          <DeviceExport search={exported} onClose={() => setExported(null)} />
        </Suspense>
      )}
    </>
  );
}
