import { Sunrise } from 'lucide';
import type { ReactNode } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { useWake } from '../commands.js';
import { useCurrentDevice } from '../current-device.js';
import { t } from '../texts.js';
import { AwaitButton } from './AwaitButton.js';

/** Buttons that wake an offline device and announce its return. */
export function OfflineActs(): ReactNode {
  const { can } = useCurrentDevice();
  const wake = useWake();
  return (
    <>
      {can('device.wake.send') && (
        <Button icon={Sunrise} busy={wake.isPending} onClick={() => wake.mutate()}>
          {t('wake')}
        </Button>
      )}
      <AwaitButton />
    </>
  );
}
