import { isBackingUp } from '../../api/system/backing-up.js';
import type { BackupFile, BackupRun, ServerBackups } from '../../api/system/server-backups.js';
import type { ServerNode } from '../../api/system/server-nodes.js';

/** The last run that has ended; undefined without one. */
export const lastEnded = (runs: readonly BackupRun[]): BackupRun | undefined => runs.find(({ outcome }) => outcome !== 'Running');

/** True if the last backup has no file, and none is being made. */
export function hasFailed(backups: Pick<ServerBackups, 'runs' | 'running'>): boolean {
  const outcome = lastEnded(backups.runs)?.outcome;
  return !isBackingUp(backups) && (outcome === 'Failed' || outcome === 'Interrupted');
}

/** A node that can be chosen. */
interface NodeChoice {
  readonly address: string;
  /** Null for a node that is not in the list of nodes. */
  readonly state: ServerNode['state'] | null;
}

/** The nodes by address, those that run longest first, and the chosen one even if it is not listed. Of several at one address the last counts. */
export function nodeChoices(nodes: readonly Pick<ServerNode, 'address' | 'state'>[], chosen: string | undefined): readonly NodeChoice[] {
  const states = new Map<string, NodeChoice['state']>();
  for (const { address, state } of nodes) if (address !== null) states.set(address, state);
  if (chosen !== undefined && !states.has(chosen)) states.set(chosen, null);
  return [...states].map(([address, state]) => ({ address, state }));
}

/** A path as one word of a shell. */
export const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** The command that reads a backup, to verify or to restore it. */
export function commandOf({ path, isEncrypted }: Pick<BackupFile, 'path' | 'isEncrypted'>, what: 'verify' | 'restore'): string {
  const options = [...(what === 'verify' ? ['--verify'] : []), ...(isEncrypted ? ['--identity <file>'] : [])];
  return ['npm run restore --', ...options, quoted(path)].join(' ');
}
