import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useSession } from '../../../access/session.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { useCurrentDevice } from '../current-device.js';
import { DEVICE_TABS } from '../tabs.js';
import { t } from '../texts.js';

/** Redirects from a device's own address, for users who may not see the overview, to the first tab that is offered. */
export function FirstTab(): ReactNode {
  const { device, name, can } = useCurrentDevice();
  const session = useSession();
  const first = DEVICE_TABS.find(({ id, isOffered }) => id !== 'overview' && isOffered(can, session));
  if (first === undefined) return <EmptyState title={t('no-tabs', { name })} />;
  return <Navigate to={first.to} params={{ deviceId: device.id }} replace />;
}
