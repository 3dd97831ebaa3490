import { Sunrise } from 'lucide';
import type { ReactNode } from 'react';

import { formatRelative } from '../../../i18n/format.js';
import { Button } from '../../../ui/button/Button.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { useNow } from '../../../ui/use-now.js';
import { useWake } from '../commands.js';
import { useCurrentDevice } from '../current-device.js';
import { t } from '../texts.js';
import { AwaitButton } from './AwaitButton.js';

/** Content of a tab that needs the device while it is offline. The tab continues by itself when the device is back. */
export function DeviceOffline(): ReactNode {
  const { device, name, can } = useCurrentDevice();
  const wake = useWake();
  const since = formatRelative(device.lastSeen, useNow());
  return (
    <EmptyState
      title={t('offline-title', { name })}
      actions={
        <>
          {can('device.wake.send') && (
            <Button icon={Sunrise} busy={wake.isPending} onClick={() => wake.mutate()}>
              {t('wake')}
            </Button>
          )}
          <AwaitButton />
        </>
      }
    >
      {t('offline-text', { since })}
    </EmptyState>
  );
}
