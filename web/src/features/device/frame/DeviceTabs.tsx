import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useSession } from '../../../access/session.js';
import { useCurrentInSight } from '../../../ui/tabs/current-in-sight.js';
import { useCurrentDevice } from '../current-device.js';
import { DEVICE_TABS } from '../tabs.js';
import { t } from '../texts.js';
import css from './DeviceTabs.module.css';

/** The tabs that the user may open, as links. */
export function DeviceTabs(): ReactNode {
  const { device, can } = useCurrentDevice();
  const session = useSession();
  const row = useCurrentInSight();
  return (
    <nav ref={row} className={css.tabs} aria-label={t('tabs')}>
      {DEVICE_TABS.filter(({ isOffered }) => isOffered(can, session)).map(({ id, to, icon: Icon }) => (
        <Link key={id} to={to} params={{ deviceId: device.id }} activeOptions={{ exact: id === 'overview' }} className={css.tab}>
          <Icon size={16} strokeWidth={1.75} aria-hidden />
          {t(id)}
        </Link>
      ))}
    </nav>
  );
}
