import type { BackupFile, BackupRun, ServerBackups } from '../../api/system/server-backups.js';

/** The last run that has ended; undefined without one. */
export const lastEnded = (runs: readonly BackupRun[]): BackupRun | undefined => runs.find(({ outcome }) => outcome !== 'Running');

/** True if the last backup has no file, and none is being made. */
export function hasFailed({ runs, running }: Pick<ServerBackups, 'runs' | 'running'>): boolean {
  const outcome = lastEnded(runs)?.outcome;
  return running?.task !== 'Backup' && (outcome === 'Failed' || outcome === 'Interrupted');
}

/** A path as one word of a shell. */
export const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** The command that reads a backup, to verify or to restore it. */
export function commandOf({ path, isEncrypted }: Pick<BackupFile, 'path' | 'isEncrypted'>, what: 'verify' | 'restore'): string {
  const options = [...(what === 'verify' ? ['--verify'] : []), ...(isEncrypted ? ['--identity <file>'] : [])];
  return ['npm run restore --', ...options, quoted(path)].join(' ');
}
