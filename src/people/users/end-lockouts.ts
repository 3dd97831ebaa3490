import type { EntityManager } from 'typeorm';

/** Ends the lock-outs of an account that hold for single sources, in a transaction that gives it a new password. */
export async function endLockouts(manager: EntityManager, userId: string): Promise<void> {
  await manager.query('DELETE FROM source_failures WHERE subject = $1', [userId]);
}
