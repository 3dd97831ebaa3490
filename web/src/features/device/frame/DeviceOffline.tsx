import type { ReactNode } from 'react';

import { formatRelative } from '../../../i18n/format.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { useNow } from '../../../ui/use-now.js';
import { useCurrentDevice } from '../current-device.js';
import { t } from '../texts.js';
import { OfflineActs } from './OfflineActs.js';

/** Content of a tab that needs the device while it is offline. The tab continues by itself when the device is back. */
export function DeviceOffline(): ReactNode {
  const { device, name } = useCurrentDevice();
  const since = formatRelative(device.lastSeen, useNow());
  return (
    <EmptyState title={t('offline-title', { name })} actions={<OfflineActs />}>
      {t('offline-text', { since })}
    </EmptyState>
  );
}
