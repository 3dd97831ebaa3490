import { useMatchRoute, useRouter } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide';
import type { ReactNode } from 'react';

import { formatNumber } from '../../../i18n/format.js';
import { ariaKeysOf, keysOf } from '../../../keyboard/shortcuts.js';
import { useShortcuts } from '../../../keyboard/use-shortcuts.js';
import { IconButton } from '../../../ui/button/Button.js';
import { useCurrentDevice } from '../current-device.js';
import { DEVICE_TABS } from '../tabs.js';
import { t } from '../texts.js';
import css from './NeighbourLinks.module.css';
import { useNeighbours } from './useNeighbours.js';

/** Tabs that the next device is shown in, too. The others would start something there. */
const KEPT: ReadonlySet<string> = new Set(['overview', 'files', 'logs', 'activity', 'access']);

/** Leads to the neighbours of the device in the list that it was opened from. */
export function NeighbourLinks(): ReactNode {
  const { device } = useCurrentDevice();
  const neighbours = useNeighbours(device.id);
  const router = useRouter();
  const match = useMatchRoute();
  const tab = DEVICE_TABS.find(({ id, to }) => KEPT.has(id) && match({ to, params: { deviceId: device.id } }) !== false);
  const go = (deviceId: string | undefined): boolean => {
    if (deviceId === undefined) return false;
    void router.navigate({ to: tab?.to ?? '/devices/$deviceId', params: { deviceId } });
    return true;
  };
  useShortcuts({ 'previous-device': () => go(neighbours?.previousId), 'next-device': () => go(neighbours?.nextId) });
  if (neighbours === null) return null;
  const { position, count, previousId, nextId } = neighbours;
  return (
    <div className={css.neighbours} role="group" aria-label={t('neighbours')}>
      <IconButton
        icon={ChevronLeft}
        label={`${t('previous-device')} (${keysOf('previous-device')})`}
        aria-keyshortcuts={ariaKeysOf('previous-device')}
        className={css.step}
        disabled={previousId === undefined}
        onClick={() => go(previousId)}
      />
      <span className="figures">{t('position', { position: formatNumber(position), total: formatNumber(count) })}</span>
      <IconButton
        icon={ChevronRight}
        label={`${t('next-device')} (${keysOf('next-device')})`}
        aria-keyshortcuts={ariaKeysOf('next-device')}
        className={css.step}
        disabled={nextId === undefined}
        onClick={() => go(nextId)}
      />
    </div>
  );
}
