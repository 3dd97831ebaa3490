import type { ReactNode } from 'react';

import { useCan } from '../../../access/can.js';
import { Holders } from '../../../parts/permissions/holders/Holders.js';
import { t } from '../../../parts/permissions/holders/texts.js';
import { ProblemError } from '../../../problem/problem.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import { DevicePanel } from '../frame/DevicePanel.js';

/** Principals with access to the device, by permission, and the assignments that grant it. */
export function AccessTab(): ReactNode {
  const { device } = useCurrentDevice();
  const mayRead = useCan('tenant.permissions.read');
  const problem = new ProblemError(403, {}, 'tenant.permissions.read');
  return (
    <DevicePanel title={t('title')}>
      {mayRead ? <Holders scope={{ kind: 'Device', id: device.id }} /> : <Forbidden problem={problem} />}
    </DevicePanel>
  );
}
