const CLOCK = /^(?:(\d{1,5})\.)?(\d{1,2}):([0-5]\d):([0-5]\d)(?:\.(\d{1,3})\d*)?$/;
const ISO = /^P(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?$/;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Reads a duration, `[days.]hours:minutes:seconds` such as `00:01:00`, or ISO 8601 such as `PT1M`.
 * @returns milliseconds, or undefined when the text is no duration
 */
export function parseDuration(text: string): number | undefined {
  const clock = CLOCK.exec(text);
  if (clock) {
    const [, days, hours, minutes, seconds, fraction] = clock;
    if (Number(hours) > 23) return undefined;
    return total(days, hours, minutes, seconds) + Number((fraction ?? '').padEnd(3, '0'));
  }
  const iso = ISO.exec(text.toUpperCase());
  if (!iso || iso.slice(1).every((part) => part === undefined)) return undefined;
  return total(iso[1], iso[2], iso[3], iso[4]);
}

/** Writes milliseconds as `[days.]hours:minutes:seconds`. */
export function formatDuration(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY);
  const [hours, minutes, seconds] = [(milliseconds % DAY) / HOUR, (milliseconds % HOUR) / MINUTE, (milliseconds % MINUTE) / SECOND];
  const clock = [hours, minutes, seconds].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
  const fraction = milliseconds % SECOND;
  return `${days > 0 ? `${days}.` : ''}${clock}${fraction > 0 ? `.${String(fraction).padStart(3, '0')}` : ''}`;
}

function total(days = '0', hours = '0', minutes = '0', seconds = '0'): number {
  return Number(days) * DAY + Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
}
