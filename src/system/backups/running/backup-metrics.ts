import { Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

import { SharedReading } from '../../../platform/common/concurrency/shared-reading.js';
import { Settings } from '../../../platform/config/settings.js';
import { BackupRunsRepository } from './backup-runs.repository.js';
import type { LastBackups } from './last-backups.js';

/** Limits on reading the last backups: several scrapers share them, and a collection goes on without them. */
const LIMITS = { maximumAgeMs: 10_000, timeoutMs: 2_000 };
const MS_PER_SECOND = 1_000;

/** The service's backups in figures, for a process whose metrics are collected. None while nightly backups are off: nobody waits for one. */
@Injectable()
export class BackupMetrics {
  constructor(settings: Settings, runs: BackupRunsRepository) {
    const meter = metrics.getMeter('backups');
    const reading = new SharedReading(() => runs.lastBackups(), LIMITS);
    const last = async (): Promise<LastBackups | null> => (settings.backup.at === null ? null : reading.get());
    meter
      .createObservableGauge('backup.success.time', {
        unit: 's',
        description: 'Time at which the last backup was complete, in seconds since 1970.',
      })
      .addCallback(async (result) => {
        const at = (await last())?.successAt;
        if (at) result.observe(at.getTime() / MS_PER_SECOND);
      });
    meter.createObservableGauge('backup.size', { unit: 'By', description: 'Size of the last backup.' }).addCallback(async (result) => {
      const size = (await last())?.size;
      if (typeof size === 'number') result.observe(size);
    });
    meter
      .createObservableGauge('backup.failed', { unit: '1', description: '1 if the last backup failed, else 0.' })
      .addCallback(async (result) => {
        const read = await last();
        if (read) result.observe(read.failure === null ? 0 : 1);
      });
  }
}
