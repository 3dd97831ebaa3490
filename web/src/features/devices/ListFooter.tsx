import { type ReactNode, Suspense } from 'react';

import { lazyAfterFirstPage } from '../../first-load/first-page.js';
import { t } from '../../parts/devices/texts.js';
import type { DeviceRows } from '../../parts/devices/useDeviceRows.js';
import css from './DevicesPage.module.css';

// Live values, which the order may change with, come after the first page as well.
const SortAgain = lazyAfterFirstPage(async () => (await import('./SortAgain.js')).SortAgain);

interface ListFooterProps {
  readonly rows: DeviceRows;
  readonly sort: string | undefined;
  /** The content over the numbers while devices are selected. */
  readonly children: ReactNode;
}

/** The numbers below the list, which is sorted again from here. */
export function ListFooter({ rows: { first, inSight }, sort, children }: ListFooterProps): ReactNode {
  return (
    <footer className={css.footer}>
      <div className={css.numbers} aria-live="polite">
        {first.data?.anyDevicesForUser && (
          <>
            <span>{t('online-count', { count: first.data.filterCounts.onlineDevices })}</span>
            <span>{t('offline-count', { count: first.data.filterCounts.offlineDevices })}</span>
            <Suspense>
              <SortAgain inSight={inSight} sort={sort} />
            </Suspense>
          </>
        )}
      </div>
      {children}
    </footer>
  );
}
