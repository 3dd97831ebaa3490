/** Ticks (100 ns) between 0001-01-01 and 1970-01-01. */
const UNIX_EPOCH_TICKS = 621355968000000000n;
const UNIX_EPOCH_MILLISECONDS = 62135596800000;
const TICKS_PER_SECOND = 10_000_000n;
const TICKS_PER_MILLISECOND = 10_000n;
const TICKS_PER_MINUTE = 60n * TICKS_PER_SECOND;
/** The tick after the end of the year 9999. */
const END_OF_TIME_TICKS = 3155378976000000000n;
const NANOSECONDS_PER_TICK = 100;
const FRACTION_DIGITS = 7;
const MAX_OFFSET_MINUTES = 14 * 60;
const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,16}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** A date that keeps the parts of a millisecond. */
class ClockReading extends Date {
  /** @param nanoseconds after the millisecond, from 0 to 999,900. MessagePack writers that know this member write them as well */
  constructor(
    milliseconds: number,
    readonly nanoseconds: number,
  ) {
    super(milliseconds);
  }
}

/**
 * A point in time with its offset from UTC, exact to 100 ns. Signatures cover all seven fraction digits, of which a Date keeps
 * three.
 */
export class Timestamp {
  private constructor(
    /** The local time, in units of 100 ns since 0001-01-01. The offset is not applied. */
    readonly ticks: bigint,
    readonly offsetMinutes: number,
  ) {}

  /** Reads ISO 8601. Fraction digits after the seventh are dropped; without an offset it is UTC. Undefined for other texts. */
  static parse(text: string): Timestamp | undefined {
    const match = ISO_8601.exec(text);
    if (match === null) return undefined;
    const [, day, minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] = match;
    const clock = `${day}T${minutes}:${seconds}`;
    const milliseconds = Date.parse(`${clock}Z`);
    const offsetMinutes = parseOffset(zone);
    // Date.parse takes 31 February for a day of March: compare the text with the date that was read.
    if (Number.isNaN(milliseconds) || offsetMinutes === undefined) return undefined;
    if (new Date(milliseconds).toISOString().slice(0, 19) !== clock) return undefined;
    const fractionTicks = BigInt(fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0'));
    return Timestamp.fromTicks(UNIX_EPOCH_TICKS + BigInt(milliseconds) * TICKS_PER_MILLISECOND + fractionTicks, offsetMinutes);
  }

  /** From the ticks of the local time. Undefined outside the years 1 to 9999, or for an offset of more than 14 hours. */
  static fromTicks(ticks: bigint, offsetMinutes = 0): Timestamp | undefined {
    if (ticks < 0n || ticks >= END_OF_TIME_TICKS || Math.abs(offsetMinutes) > MAX_OFFSET_MINUTES) return undefined;
    return new Timestamp(ticks, offsetMinutes);
  }

  /** The instant of a Date at the given offset. @throws RangeError for an invalid date */
  static fromDate(date: Date, offsetMinutes = 0): Timestamp {
    const local = UNIX_EPOCH_TICKS + BigInt(date.getTime()) * TICKS_PER_MILLISECOND + BigInt(offsetMinutes) * TICKS_PER_MINUTE;
    const timestamp = Timestamp.fromTicks(local, offsetMinutes);
    if (timestamp === undefined) throw new RangeError('The date is outside of the years 1 to 9999.');
    return timestamp;
  }

  /** From a local time as MessagePack has it, in seconds and nanoseconds since 1970. Undefined outside the years 1 to 9999. */
  static fromUnixTime(seconds: bigint, nanoseconds: number, offsetMinutes = 0): Timestamp | undefined {
    return Timestamp.fromTicks(UNIX_EPOCH_TICKS + seconds * TICKS_PER_SECOND + BigInt(Math.trunc(nanoseconds / 100)), offsetMinutes);
  }

  /** Unix time in milliseconds; smaller parts are cut. */
  get unixMilliseconds(): number {
    return toUnixMilliseconds(this.ticks - BigInt(this.offsetMinutes) * TICKS_PER_MINUTE);
  }

  toDate(): Date {
    return new Date(this.unixMilliseconds);
  }

  /** The local time as if it were UTC. */
  clockAsDate(): ClockReading {
    return new ClockReading(toUnixMilliseconds(this.ticks), Number(this.ticks % TICKS_PER_MILLISECOND) * NANOSECONDS_PER_TICK);
  }

  /** ISO 8601 with an offset and without trailing zeros in the fraction, for example `2026-09-14T10:11:12.1234567+00:00`. */
  toString(): string {
    const clock = this.clockAsDate().toISOString();
    const fraction = Number(this.ticks % TICKS_PER_SECOND);
    const digits = fraction === 0 ? '' : `.${String(fraction).padStart(FRACTION_DIGITS, '0').replace(/0+$/, '')}`;
    return `${clock.slice(0, 19)}${digits}${formatOffset(this.offsetMinutes)}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Divides before it subtracts the epoch: BigInt division rounds towards zero, which would be wrong for times before 1970. */
function toUnixMilliseconds(ticks: bigint): number {
  return Number(ticks / TICKS_PER_MILLISECOND) - UNIX_EPOCH_MILLISECONDS;
}

function parseOffset(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return Number(zone.slice(4, 6)) < 60 ? (zone.startsWith('-') ? -minutes : minutes) : undefined;
}

function formatOffset(offsetMinutes: number): string {
  if (offsetMinutes === 0) return '+00:00';
  const size = Math.abs(offsetMinutes);
  const hours = String(Math.trunc(size / 60)).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}
