import type { ReactNode } from 'react';

import css from './Sparkline.module.css';
import { linePath } from './line.js';

interface SparklineProps {
  /** Meaning of the line, in words: "Devices online in the last hour: 812 to 1,071". */
  readonly label: string;
  /** From the oldest to the newest; null where nothing was measured. */
  readonly values: readonly (number | null)[];
  /** The value at the upper edge; without it the largest one. */
  readonly max?: number;
  readonly width?: number;
  readonly height?: number;
}

/** A small line that shows the course of a figure. The figure itself stands beside it. */
export function Sparkline({ label, values, max, width = 96, height = 24 }: SparklineProps): ReactNode {
  const top = max ?? Math.max(0, ...values.filter((value) => value !== null));
  return (
    <svg className={css.line} viewBox={`-1 -1 ${width + 2} ${height + 2}`} width={width} height={height} role="img" aria-label={label}>
      <path d={linePath(values, width, height, top)} />
    </svg>
  );
}
