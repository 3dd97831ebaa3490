import type { ReactNode } from 'react';

import { formatPercent } from '../../i18n/format.js';
import { classes } from '../../ui/classes.js';
import css from './Health.module.css';
import { t } from './texts.js';

interface Figures {
  readonly cpuUtilization: number;
  readonly usedMemory: number;
  readonly totalMemory: number;
  readonly usedStorage: number;
  readonly totalStorage: number;
}

/** Above this share a bar wants attention, and its figure is written out. */
const HIGH = 0.85;

const share = (used: number, total: number): number => (total > 0 ? Math.min(1, used / total) : 0);

/** Processor, memory and storage as three small bars, with the highest figure if it wants attention. */
export function Health({ device }: { readonly device: Figures }): ReactNode {
  const shares = [
    { name: t('cpu'), value: device.cpuUtilization },
    { name: t('memory'), value: share(device.usedMemory, device.totalMemory) },
    { name: t('storage'), value: share(device.usedStorage, device.totalStorage) },
  ];
  const highest = shares.reduce((one, other) => (other.value > one.value ? other : one));
  const text = shares.map(({ name, value }) => `${name} ${formatPercent(value)}`).join(', ');
  return (
    <span className={css.health} title={text}>
      <span className="visually-hidden">{text}</span>
      <span className={css.bars} aria-hidden>
        {shares.map(({ name, value }) => (
          <span key={name} className={classes(css.bar, value > HIGH && css.high)} style={{ '--share': `${Math.max(8, value * 100)}%` }} />
        ))}
      </span>
      {highest.value > HIGH && (
        <span className={css.figure} aria-hidden>
          {formatPercent(highest.value)}
        </span>
      )}
    </span>
  );
}
