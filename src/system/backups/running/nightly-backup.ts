import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import { JobMetrics } from '../../background/job-metrics.js';
import { MINUTE_MS } from '../../background/periods.js';
import { BackupKind } from './backup-files.js';
import { BackupNotices } from './backup-notices.js';
import { BackupRunsRepository } from './backup-runs.repository.js';
import { BackupFailure, Backups } from './backups.js';
import type { LastBackups } from './last-backups.js';
import { nextBackupAt } from './next-backup.js';

/** Name of the job in metrics. */
const JOB = 'nightly backup';

/** Makes the nightly backup. It looks at the clock each minute, so that a machine that slept or whose clock was set makes it as well. */
@Injectable()
export class NightlyBackup implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Backups');
  private readonly startedAt: Date;
  private isStopping = false;
  private hasFailedToAsk = false;

  constructor(
    private readonly settings: Settings,
    private readonly scheduler: SchedulerRegistry,
    private readonly backups: Backups,
    private readonly runs: BackupRunsRepository,
    private readonly notices: BackupNotices,
    private readonly metrics: JobMetrics,
    private readonly clock: Clock,
  ) {
    this.startedAt = clock.now();
  }

  onApplicationBootstrap(): void {
    // The scheduler's registry ends the interval when the service stops.
    this.scheduler.addInterval(
      JOB,
      setInterval(() => void this.runIfDue(), MINUTE_MS),
    );
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  /** Time of the next nightly backup; null if they are off. */
  async nextAt(): Promise<Date | null> {
    const { at } = this.settings.backup;
    if (at === null) return null;
    return nextBackupAt({ now: this.clock.now(), at, serviceStartedAt: this.startedAt, ...(await this.runs.lastNightly()) });
  }

  /** The last backups of the service. */
  last(): Promise<LastBackups> {
    return this.runs.lastBackups();
  }

  /** Makes the backup if it is due. Never rejects. */
  async runIfDue(): Promise<void> {
    if (this.isStopping || this.backups.current !== null || !(await this.isDue())) return;
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1_000;
    try {
      await this.backups.make(BackupKind.Nightly);
      this.metrics.ran(JOB, seconds(), 1);
    } catch (error) {
      this.metrics.ran(JOB, seconds(), null);
      if (error instanceof BackupFailure && !error.isStop) await this.notices.failed(error);
    }
  }

  private async isDue(): Promise<boolean> {
    try {
      const next = await this.nextAt();
      this.hasFailedToAsk = false;
      return next !== null && next <= this.clock.now();
    } catch (error) {
      // Once, until the database answers again.
      if (!this.hasFailedToAsk) this.logger.warn({ message: 'The nightly backup waits for the database.', reason: messageOf(error) });
      this.hasFailedToAsk = true;
      return false;
    }
  }
}
