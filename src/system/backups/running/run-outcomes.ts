import type { StoredRun } from './backup-runs.repository.js';
import { BackupOutcome, type BackupRunDto } from './server-backups.dto.js';

type Run = Pick<StoredRun, 'id' | 'finishedAt'>;

/** The newest run without an outcome; undefined without one. */
export const unfinishedIn = <T extends Run>(runs: readonly T[]): T | undefined => runs.find(({ finishedAt }) => finishedAt === null);

/** The run without an outcome that was not there when the runs were read before; undefined without one. */
export function startedSince<T extends Run>(before: readonly T[], now: readonly T[]): T | undefined {
  const unfinished = unfinishedIn(now);
  return before.some(({ id }) => id === unfinished?.id) ? undefined : unfinished;
}

/** Runs as the API tells them. Those without an outcome that are not under way were interrupted. */
export function runsOf(runs: readonly StoredRun[], underWay: StoredRun | undefined): BackupRunDto[] {
  return runs.map(({ id, kind, startedAt, finishedAt, file, failure }) => {
    const outcome = outcomeOf(finishedAt, failure, id === underWay?.id);
    return { kind, startedAt, finishedAt, outcome, file, failure };
  });
}

function outcomeOf(finishedAt: Date | null, failure: string | null, isUnderWay: boolean): BackupOutcome {
  if (finishedAt === null) return isUnderWay ? BackupOutcome.Running : BackupOutcome.Interrupted;
  return failure === null ? BackupOutcome.Complete : BackupOutcome.Failed;
}
