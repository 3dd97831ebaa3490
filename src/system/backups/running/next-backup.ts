import { lastRunAt, nextRunAt } from '../../background/daily-time.js';
import { HOUR_MS, MINUTE_MS } from '../../background/periods.js';
import type { LastNightly } from './last-backups.js';

/** Wait for the next attempt after one that failed. */
const RETRY_AFTER_MS = HOUR_MS;
/** Wait of a missed backup after the start of the service, which has enough to do then. */
const AFTER_START_MS = 15 * MINUTE_MS;

/** The facts that decide about the next nightly backup. */
export interface BackupHistory extends LastNightly {
  readonly now: Date;
  /** Time of day, in minutes after midnight. */
  readonly at: number;
  /** Start of this process. */
  readonly serviceStartedAt: Date;
}

/** Time of the next nightly backup; one in the past is due. */
export function nextBackupAt({ now, at, serviceStartedAt, attemptAt, successAt }: BackupHistory): Date {
  const last = lastRunAt(now, at);
  const next = nextRunAt(now, at);
  if (successAt !== null && successAt >= last) return next;
  if (attemptAt !== null && attemptAt >= last) return earlier(next, after(attemptAt, RETRY_AFTER_MS));
  return serviceStartedAt <= last ? last : earlier(next, after(serviceStartedAt, AFTER_START_MS));
}

function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}
