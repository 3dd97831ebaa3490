import { inUnits } from '../../backups/describe-manifest.js';
import type { FoundBackup } from '../../backups/running/backup-files.js';
import { nextBackupAt } from '../../backups/running/next-backup.js';
import { Area, fault, skipped, well, type Finding } from '../finding.js';

const HOUR_MS = 60 * 60_000;
/** Age from which the alert BackupOverdue warns too. */
const OLD_MS = 26 * HOUR_MS;

/** Time within which the first backup must be there once it is due. */
const FIRST_TAKES_MS = HOUR_MS;

/** State of the backups of the service. */
export interface BackupFacts {
  readonly folder: string;
  /** Newest first. */
  readonly backups: readonly FoundBackup[];
  /** Time of the nightly backup, in minutes after midnight; null while nightly backups are off. */
  readonly at: number | null;
  /** Start of the service; null while it does not run. */
  readonly serviceStartedAt: Date | null;
  readonly now: number;
}

/** Findings about the backups of the service. A service that has just started makes its first one later. */
export function backupFindings({ folder, backups, at, serviceStartedAt, now }: BackupFacts): readonly Finding[] {
  if (at === null) return [skipped(Area.DataFolder, 'Nightly backups are off (Backup:At is empty).')];
  const [last] = backups;
  if (last === undefined) {
    const due = serviceStartedAt === null ? null : firstBackupAt(at, serviceStartedAt, now);
    if (due === null || now > due.getTime() + FIRST_TAKES_MS) return [fault('backup-missing', `There is no backup in ${folder}.`)];
    return [well(Area.DataFolder, `There is no backup in ${folder} yet: the first one begins at ${due.toISOString().slice(0, 16)}Z.`)];
  }
  const age = now - last.startedAt.getTime();
  const hours = Math.max(0, Math.floor(age / HOUR_MS));
  if (age > OLD_MS) return [fault('backup-old', `The last backup in ${folder} is ${hours} hours old.`)];
  return [well(Area.DataFolder, `The last backup in ${folder} is ${hours} ${hours === 1 ? 'hour' : 'hours'} old (${inUnits(last.size)}).`)];
}

const firstBackupAt = (at: number, serviceStartedAt: Date, now: number): Date =>
  nextBackupAt({ now: new Date(now), at, serviceStartedAt, attemptAt: null, successAt: null });
