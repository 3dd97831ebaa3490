const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' });

/** A time in words, such as `21 September 2026, 14:05 UTC`. The server does not know the time zone of the reader. */
export function moment(time: Date): string {
  return `${DATE.format(time)}, ${TIME.format(time)} UTC`;
}
