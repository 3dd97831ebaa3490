import type { DatabaseConfig } from '../../../platform/database/connection/database-connection.js';
import { CLEANUP, connectForBackup, takeTurn } from '../turn.js';
import { removeUnfinished, unfinishedIn } from './backup-files.js';

/** Longest wait for the lock of a process that was killed, in milliseconds: its connection may last a little longer. */
const TURN_WAIT_MS = 3_000;

/**
 * Removes the half files of processes that died, unless a backup of this database runs, whose file is one of them. Returns their names.
 * @throws DatabaseError
 */
export async function removeLeftovers(database: DatabaseConfig, folder: string): Promise<readonly string[]> {
  if ((await unfinishedIn(folder)).length === 0) return [];
  const client = await connectForBackup(database, CLEANUP);
  try {
    return (await takeTurn(client, TURN_WAIT_MS)) ? await removeUnfinished(folder) : [];
  } finally {
    await client.end().catch(() => undefined);
  }
}
