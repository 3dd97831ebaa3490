const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** An instant as `<input type="datetime-local">` takes it: in the time zone of the browser, by the minute. */
export function toLocalTime(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  const day = [String(date.getFullYear()).padStart(4, '0'), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

const LOCAL_TIME = /^\d{4,}-\d\d-\d\dT\d\d:\d\d/;

/** Value of such an input as an instant; null while it is empty or half typed. */
export function fromLocalTime(text: string): string | null {
  // Browsers read dates of other shapes too, each in its own way.
  const date = new Date(LOCAL_TIME.test(text) ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
