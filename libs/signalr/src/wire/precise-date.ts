/** Ticks of .NET, of which a Date keeps only every ten thousandth. */
const NANOSECONDS_PER_TICK = 100;
const TICK_DIGITS = 4;

/** A date with the part of its time that is smaller than a millisecond. A MessagePack timestamp with such a part is read as one. */
export class PreciseDate extends Date {
  /** @param nanoseconds from 0 to 999,999, after `milliseconds` since 1970 */
  constructor(
    milliseconds: number,
    readonly nanoseconds: number,
  ) {
    super(milliseconds);
  }

  /** ISO 8601 in UTC with seven fraction digits, as .NET writes it. */
  override toJSON(): string {
    const ticks = String(Math.floor(this.nanoseconds / NANOSECONDS_PER_TICK)).padStart(TICK_DIGITS, '0');
    return this.toISOString().replace('Z', `${ticks}Z`);
  }
}

/** The nanoseconds of a date after its millisecond. Other libraries may have precise dates of their own with a member of this name. */
export function nanosecondsOf(date: Date): number {
  return 'nanoseconds' in date && typeof date.nanoseconds === 'number' ? date.nanoseconds : 0;
}

const ISO_8601 = /^((?:\d{4}|[+-]\d{6})-\d\d-(\d\d))(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const FRACTION = /\.(\d{3})(\d{1,6})/;

/** Reads ISO 8601 with up to nine fraction digits. An invalid date for other texts. */
export function parseDate(text: string): Date {
  const [, day, dayOfMonth] = ISO_8601.exec(text) ?? [];
  // Date.parse takes 31 April for 1 May.
  if (day === undefined || new Date(`${day}T00:00Z`).getUTCDate() !== Number(dayOfMonth)) return new Date(Number.NaN);
  const milliseconds = Date.parse(text.replace(FRACTION, '.$1'));
  const rest = Number((FRACTION.exec(text)?.[2] ?? '').padEnd(6, '0'));
  return rest === 0 ? new Date(milliseconds) : new PreciseDate(milliseconds, rest);
}
