/** The largest recording, which this page keeps until it is saved. */
export const RECORDING_LIMITS = { hours: 2, gigabytes: 2 } as const;

const HOUR_MS = 3_600_000;
const GIGABYTE = 1_000_000_000;

/** True if a recording of this length and size ends. */
export const isAtLimit = (milliseconds: number, bytes: number): boolean =>
  milliseconds >= RECORDING_LIMITS.hours * HOUR_MS || bytes >= RECORDING_LIMITS.gigabytes * GIGABYTE;

/** A length in minutes and seconds, and hours if there are any: "0:07", "1:02:03". */
export function clockOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (part: number): string => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}
