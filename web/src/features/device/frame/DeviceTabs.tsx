import type { ReactNode } from 'react';

import { useSession } from '../../../access/session.js';
import { Tab, Tabs } from '../../../ui/tabs/Tabs.js';
import { useCurrentDevice } from '../current-device.js';
import { DEVICE_TABS } from '../tabs.js';
import { t } from '../texts.js';

/** The tabs that the user may open, as links. */
export function DeviceTabs(): ReactNode {
  const { device, can } = useCurrentDevice();
  const session = useSession();
  return (
    <Tabs label={t('tabs')}>
      {DEVICE_TABS.filter(({ isOffered }) => isOffered(can, session)).map(({ id, to, icon }) => (
        <Tab key={id} to={to} params={{ deviceId: device.id }} activeOptions={{ exact: id === 'overview' }} icon={icon}>
          {t(id)}
        </Tab>
      ))}
    </Tabs>
  );
}
