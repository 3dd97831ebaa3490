import { HardDrive } from 'lucide';
import type { ReactNode } from 'react';

import { Icon } from '../../../ui/icon/Icon.js';
import { Meter } from '../../../ui/meter/Meter.js';
import { Badge } from '../../../ui/badge/Badge.js';
import { useCurrentDevice } from '../current-device.js';
import { t } from '../texts.js';
import css from './OverviewTab.module.css';
import { shareOf, sizeText } from './figures.js';

/** A drive with less than this share of it free wants attention. */
const LITTLE_FREE = 0.1;

/** The drives of the device with the free space on each. */
export function Drives(): ReactNode {
  const { drives } = useCurrentDevice().device;
  if (drives.length === 0) return <p className="muted">{t('no-drives')}</p>;
  return (
    <ul className={css.drives}>
      {drives.map(({ rootDirectory, name, volumeLabel, driveFormat, freeSpace, totalSize }) => {
        const used = shareOf(totalSize - freeSpace, totalSize);
        return (
          <li key={rootDirectory} className={css.drive}>
            <Icon of={HardDrive} />
            <span className={css.driveName}>
              <span className="mono cut" title={rootDirectory}>
                {rootDirectory}
              </span>
              <span className="meta cut">{[volumeLabel === name ? '' : volumeLabel, driveFormat].filter(Boolean).join(' · ')}</span>
            </span>
            <span className={css.free}>
              {totalSize > 0 && 1 - used < LITTLE_FREE && <Badge look="warn">{t('almost-full')}</Badge>}
              <span className="figures">{t('free-of', { free: sizeText(freeSpace), total: sizeText(totalSize) })}</span>
            </span>
            <span className={css.driveBar}>
              <Meter label={rootDirectory} value={used} warnFrom={1 - LITTLE_FREE} barOnly />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
