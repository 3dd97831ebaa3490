import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, Suspense } from 'react';

import { formatNumber } from '../../i18n/format.js';
import { Button } from '../../ui/button/Button.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { type DeviceSearch, type DeviceSearchChange, isFiltered, withoutFilters } from '../../model/devices/device-search.js';
import { devicesQuery } from '../../api/devices/device-list.js';
import { t } from './later-texts.js';
import { NoAccess } from './NoAccess.js';

interface NoDevicesProps {
  readonly search: DeviceSearch;
  /** There is no device at all, rather than none that matches. */
  readonly isEmpty: boolean;
  /** Link that adds the first one; null for users who may not. */
  readonly addDevice: ReactNode;
  /** Leads users who come to an empty tenant to the first steps. */
  readonly FirstVisit: ComponentType<{ readonly children: ReactNode }>;
  readonly onChange: (change: DeviceSearchChange) => void;
}

/** Shown instead of the list when it has no rows. */
export function NoDevices({ search, isEmpty, addDevice, FirstVisit, onChange }: NoDevicesProps): ReactNode {
  return isEmpty ? (
    <Empty addDevice={addDevice} FirstVisit={FirstVisit} />
  ) : (
    <NoMatch search={search} onClear={() => onChange((now) => ({ ...withoutFilters(now), customer: undefined }))} />
  );
}

/** Shown when there is no device at all. Users who may add the first one are led through the first steps, once. */
function Empty({ addDevice, FirstVisit }: Pick<NoDevicesProps, 'addDevice' | 'FirstVisit'>): ReactNode {
  return (
    <Suspense>
      {addDevice === null ? (
        <NoAccess />
      ) : (
        <FirstVisit>
          <EmptyState title={t('empty-title')} actions={addDevice}>
            {t('empty-text')}
          </EmptyState>
        </FirstVisit>
      )}
    </Suspense>
  );
}

/** Shown when nothing matches: gives the number of devices without the filters. */
function NoMatch({ search, onClear }: { readonly search: DeviceSearch; readonly onClear: () => void }): ReactNode {
  const { data } = useQuery({ ...devicesQuery({}, 0, 1), enabled: isFiltered(search) });
  return (
    <EmptyState title={t('no-match')} actions={<Button onClick={onClear}>{t('clear-filters')}</Button>}>
      {data !== undefined && t('without-filters', { count: data.totalItems, total: formatNumber(data.totalItems) })}
    </EmptyState>
  );
}
