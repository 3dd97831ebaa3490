import 'uplot/dist/uPlot.min.css';

import { type ReactNode, useEffect, useRef } from 'react';
import UPlot from 'uplot';

import { formatNumber, formatTime } from '../../i18n/format.js';
import { classes } from '../../ui/classes.js';
import type { Sample } from './samples.js';
import css from './ServerAdministration.module.css';
import { t } from './texts.js';

const HEIGHT = 280;
/** Between labels of the time, in pixels. */
const LABEL_SPACE = 90;
/** Labels name minutes, so they stand at whole minutes, in seconds. */
const TIME_STEPS = [60, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400];

const dataOf = (samples: readonly Sample[]): UPlot.AlignedData => [
  samples.map(({ time }) => time),
  samples.map(({ stats }) => stats.onlineAgents),
  samples.map(({ stats }) => stats.onlineUsers),
];

/** Devices and users online, over time. */
export default function StatisticsChart({ samples }: { readonly samples: readonly Sample[] }): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const devices = useRef<HTMLSpanElement>(null);
  const users = useRef<HTMLSpanElement>(null);
  const plot = useRef<UPlot>(null);
  const latest = useRef(samples);
  useEffect(() => {
    latest.current = samples;
    plot.current?.setData(dataOf(samples));
  }, [samples]);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    // The canvas knows no variables of style sheets: it is drawn in the colours that the elements have, anew when the theme changes.
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new UPlot(optionsOf(element, [colorOf(devices.current), colorOf(users.current)]), dataOf(latest.current), element);
    };
    draw();
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributes: true });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      resize.disconnect();
      theme.disconnect();
      dark.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  return (
    <>
      <div className={css.legend}>
        <span ref={devices} className={css.devices}>
          <span className={css.label}>{t('onlineAgents')}</span>
        </span>
        <span ref={users} className={css.users}>
          <span className={css.label}>{t('onlineUsers')}</span>
        </span>
      </div>
      <div ref={frame} className={classes(css.chart, 'muted')} role="img" aria-label={t('line-label')} />
    </>
  );
}

const colorOf = (element: Element | null): string => (element === null ? '' : getComputedStyle(element).color);

function optionsOf(element: HTMLElement, [devices, users]: readonly [string, string]): UPlot.Options {
  const text = colorOf(element);
  const axis = { stroke: text, grid: { stroke: text, width: 0.2 }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, __, max) => [0, Math.max(5, Math.ceil(max * 1.1))] } },
    axes: [
      { ...axis, space: LABEL_SPACE, incrs: TIME_STEPS, values: (_, times) => times.map((time) => formatTime(new Date(time * 1000))) },
      {
        ...axis,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000],
        values: (_, values) => values.map(formatNumber),
      },
    ],
    series: [{}, { stroke: devices, width: 2, points: { show: false } }, { stroke: users, width: 2, points: { show: false } }],
  };
}
