import type { ReactNode } from 'react';

import { useCurrentDevice } from '../current-device.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { FirstTab } from '../frame/FirstTab.js';
import { t } from '../texts.js';

/** How the device is: its load, drives, system and network. */
export function OverviewTab(): ReactNode {
  const { device, can } = useCurrentDevice();
  if (!can('device.overview.read')) return <FirstTab />;
  return <DevicePanel title={t('overview')}>{device.osDescription}</DevicePanel>;
}
