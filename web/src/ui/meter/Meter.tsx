import type { ReactNode } from 'react';

import { formatPercent } from '../../i18n/format.js';
import { classes } from '../classes.js';
import css from './Meter.module.css';
import { levelOf } from './level.js';

interface MeterProps {
  /** Name of the measured thing: "Memory". */
  readonly label: string;
  /** The share that is used, from 0 to 1. */
  readonly value: number;
  /** The figures behind it: "12 of 32 GB". */
  readonly detail?: ReactNode;
  /** Shares from which the bar gets the colour of a warning and of an error. */
  readonly warnFrom?: number;
  readonly badFrom?: number;
  /** Only the bar is seen: in tables. */
  readonly barOnly?: boolean;
}

/** Used share of something. It has a colour only where it wants attention. */
export function Meter({ label, value, detail, warnFrom = 0.85, badFrom = 0.95, barOnly = false }: MeterProps): ReactNode {
  const share = Math.min(1, Math.max(0, value));
  const bar = (
    <div
      className={classes(css.bar, css[levelOf(share, warnFrom, badFrom)])}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={formatPercent(share)}
      title={barOnly ? `${label}: ${formatPercent(share)}` : undefined}
    >
      <div className={css.fill} style={{ width: `${share * 100}%` }} />
    </div>
  );
  if (barOnly) return bar;
  return (
    <div className={css.meter}>
      <div className={css.head}>
        <span className={css.label}>{label}</span>
        {detail !== undefined && <span className={css.detail}>{detail}</span>}
        <span className={css.share}>{formatPercent(share)}</span>
      </div>
      {bar}
    </div>
  );
}
