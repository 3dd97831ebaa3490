import { inUnits } from '../../backups/describe-manifest.js';
import type { FoundBackup } from '../../backups/running/backup-files.js';
import { Area, fault, skipped, well, type Finding } from '../finding.js';

const HOUR_MS = 60 * 60_000;
/** Age from which the alert BackupOverdue warns too. */
const OLD_MS = 26 * HOUR_MS;

/** Findings about the backups of the service, which are given newest first. `isNightly` is false while nightly backups are off. */
export function backupFindings(folder: string, backups: readonly FoundBackup[], isNightly: boolean, now: number): readonly Finding[] {
  if (!isNightly) return [skipped(Area.DataFolder, 'Nightly backups are off (Backup:At is empty).')];
  const [last] = backups;
  if (last === undefined) return [fault('backup-missing', `There is no backup in ${folder}.`)];
  const age = now - last.startedAt.getTime();
  const hours = Math.max(0, Math.floor(age / HOUR_MS));
  if (age > OLD_MS) return [fault('backup-old', `The last backup in ${folder} is ${hours} hours old.`)];
  return [well(Area.DataFolder, `The last backup in ${folder} is ${hours} ${hours === 1 ? 'hour' : 'hours'} old (${inUnits(last.size)}).`)];
}
