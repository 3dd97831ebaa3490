import { Module } from '@nestjs/common';

import { MailModule } from '../../../people/mail/mail.module.js';
import { BackgroundModule } from '../../background/background.module.js';
import { BackupMetrics } from './backup-metrics.js';
import { BackupNotices } from './backup-notices.js';
import { BackupRunsRepository } from './backup-runs.repository.js';
import { Backups } from './backups.js';
import { NightlyBackup } from './nightly-backup.js';
import { ServerBackupsController } from './server-backups.controller.js';
import { ServerBackups } from './server-backups.service.js';

/** Backups that the service makes by itself, or for administrators. */
@Module({
  imports: [BackgroundModule, MailModule],
  controllers: [ServerBackupsController],
  providers: [BackupMetrics, BackupNotices, BackupRunsRepository, Backups, NightlyBackup, ServerBackups],
  exports: [NightlyBackup],
})
export class BackupsModule {}
