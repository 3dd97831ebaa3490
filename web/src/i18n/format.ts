import { locale } from './language.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One formatter for each kind: making one is slow. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const plurals = once(() => new Intl.PluralRules(locale() ?? 'en'));
const numbers = once(() => new Intl.NumberFormat(locale()));
const percents = once(() => new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }));
const decimals = once(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }));
const instants = once(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }));
const days = once(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'full' }));
const dates = once(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }));
const times = once(() => new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }));
const relative = once(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' }));

export const pluralOf = (count: number): string => plurals().select(count);
export const formatNumber = (value: number): string => numbers().format(value);
/** A share of 1, as `42 %`. */
export const formatPercent = (share: number): string => percents().format(share);
export const formatInstant = (instant: string | Date): string => instants().format(new Date(instant));
export const formatDay = (instant: string | Date): string => days().format(new Date(instant));
export const formatDate = (instant: string | Date): string => dates().format(new Date(instant));
export const formatTime = (instant: string | Date): string => times().format(new Date(instant));

/** Relative time in its largest unit, past or future: `2 min. ago`, `in 5 hr.` */
export function formatRelative(instant: string | Date, now = Date.now()): string {
  const difference = new Date(instant).getTime() - now;
  const size = Math.abs(difference);
  if (size < MINUTE) return relative().format(0, 'minute');
  if (size < HOUR) return relative().format(Math.round(difference / MINUTE), 'minute');
  if (size < DAY) return relative().format(Math.round(difference / HOUR), 'hour');
  if (size < 60 * DAY) return relative().format(Math.round(difference / DAY), 'day');
  return relative().format(Math.round(difference / (30 * DAY)), 'month');
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A number of bytes with its unit, powers of 1,000. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? numbers().format(value) : decimals().format(value)} ${UNITS[unit]}`;
}

/** A number of gibibytes, as devices report it. */
export const formatGibibytes = (gibibytes: number): string =>
  gibibytes < 1024 ? `${decimals().format(gibibytes)} GiB` : `${decimals().format(gibibytes / 1024)} TiB`;
