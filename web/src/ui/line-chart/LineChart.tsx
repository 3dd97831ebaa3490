import type { ReactNode } from 'react';

import { formatNumber, formatTime } from '../../i18n/format.js';
import { pathThrough } from '../sparkline/line.js';
import { timeLabels, valueLines } from './axes.js';
import css from './LineChart.module.css';

interface LineChartProps {
  /** Meaning of the lines, in words. */
  readonly label: string;
  /** Times of the values, in seconds since 1970, from the oldest to the newest. */
  readonly times: readonly number[];
  /** Lines with their values at these times, none below zero; null where a line has a gap. There are colours for two. */
  readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** Both sides of the drawing. It is stretched to the room that it has. */
const SIDE = 1000;
const COLOURS = [css.first, css.second];

/** Figures over time. The colours are explained above the lines. */
export function LineChart({ label, times, lines }: LineChartProps): ReactNode {
  const values = valueLines(Math.max(0, ...lines.flatMap((line) => line.values.filter((value) => value !== null))));
  const [top = 1] = values.slice(-1);
  const [from = 0] = times;
  const [to = 0] = times.slice(-1);
  /** Position of a moment, from 0 at the start to 1 at the end. */
  const shareOf = (time: number): number => (to > from ? (time - from) / (to - from) : 0);
  const pathOf = (measured: readonly (number | null)[]): string =>
    pathThrough(
      measured.map((value, index) => (value === null ? null : `${rounded(shareOf(times[index] ?? to))} ${rounded(1 - value / top)}`)),
    );
  return (
    <div className={css.chart} role="img" aria-label={label}>
      <div className={css.legend}>
        {lines.map(({ name }, index) => (
          <span key={name} className={COLOURS[index]}>
            <span className={css.name}>{name}</span>
          </span>
        ))}
      </div>
      <div className={css.values}>
        {values.map((value) => (
          <span key={value}>{formatNumber(value)}</span>
        ))}
      </div>
      <svg className={css.plot} viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none">
        {values.map((value) => (
          <path key={value} className={css.line} d={`M0 ${rounded(1 - value / top)}H${SIDE}`} />
        ))}
        {times.length > 0 &&
          lines.map(({ name, values: measured }, index) => <path key={name} className={COLOURS[index]} d={pathOf(measured)} />)}
      </svg>
      <div className={css.times}>
        {timeLabels(from, to).map((time) => (
          <span key={time} style={{ left: `${shareOf(time) * 100}%` }}>
            {formatTime(new Date(time * 1000))}
          </span>
        ))}
      </div>
    </div>
  );
}

const rounded = (share: number): number => Math.round(share * SIDE * 10) / 10;
