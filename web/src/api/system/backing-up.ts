import type { Schemas } from '../client.js';

/** True while a backup is made, by this node or another one. */
export const isBackingUp = ({ running, runs }: Pick<Schemas['ServerBackupsResponseDto'], 'running' | 'runs'>): boolean =>
  running?.task === 'Backup' || runs.some(({ outcome }) => outcome === 'Running');
