/** The most lines across the chart above the one at zero. */
const MOST_LINES = 6;
/** The highest line stands at least here: small figures would fill the chart with their noise. */
const LEAST_TOP = 5;
/** Room above the largest value, as a factor. */
const HEADROOM = 1.1;

/**
 * Values of the horizontal lines of a chart up to `max`, its largest value: whole numbers from 0, in equal steps of 1, 2 or 5 times a power
 * of ten.
 */
export function valueLines(max: number): number[] {
  const top = Math.max(LEAST_TOP, max * HEADROOM);
  const power = 10 ** Math.floor(Math.log10(top / MOST_LINES));
  const step = Math.max(1, [1, 2, 5, 10].map((digit) => digit * power).find((each) => top / each <= MOST_LINES) ?? 1);
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}

/** The most labels below the chart: so many fit next to each other on a phone. */
const MOST_LABELS = 5;
/** Between labels, in seconds. They name minutes, and the hours of a day. */
const TIME_STEPS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];

/**
 * Round times between two moments, all in seconds since 1970, to be labelled. `offset` is the time by which the user's clock is behind UTC,
 * in seconds.
 */
export function timeLabels(from: number, to: number, offset = new Date(to * 1000).getTimezoneOffset() * 60): number[] {
  const step = TIME_STEPS.find((each) => (to - from) / each <= MOST_LABELS) ?? Math.ceil((to - from) / MOST_LABELS / 86_400) * 86_400;
  const labels: number[] = [];
  for (let time = Math.ceil((from - offset) / step) * step + offset; time <= to; time += step) labels.push(time);
  return labels;
}
