import { join } from 'node:path';

import { Logger } from '@nestjs/common';

import { messageOf } from '../../../platform/common/errors/errors.js';
import type { Settings } from '../../../platform/config/settings.js';
import type { DatabaseConfig } from '../../../platform/database/connection/database-connection.js';
import { BackupError } from '../backup-error.js';
import { writeBackup } from '../write-backup.js';
import { backupFolder, BackupKind, backupName, removeOutdated, removeUnfinished } from './backup-files.js';

/**
 * Backs up the bundled database before its schema changes. Operators of their own database back it up by their own means.
 * @throws BackupError, so that nothing is upgraded without a way back
 */
export async function backUpBeforeUpgrade(settings: Settings, database: DatabaseConfig): Promise<void> {
  if (settings.database.kind !== 'bundled') return;
  const logger = new Logger('Backups');
  const { recipients, keep } = settings.backup;
  const folder = backupFolder(settings);
  const file = join(folder, backupName(BackupKind.Upgrade, new Date(), recipients.length > 0));
  const { signal } = new AbortController();
  logger.log(`Backing up the database before its upgrade: ${file}`);
  try {
    const onTurn = async (): Promise<void> => void (await removeUnfinished(folder));
    await writeBackup({ database, dataPath: settings.dataPath, file, recipients, signal, onTurn });
  } catch (error) {
    const message = `The upgrade needs a backup first. ${messageOf(error)} Nothing was changed.`;
    throw new BackupError(message, { cause: error });
  }
  try {
    await removeOutdated(folder, keep);
  } catch (error) {
    logger.warn({ message: 'Old backups could not be removed.', reason: messageOf(error) });
  }
}
