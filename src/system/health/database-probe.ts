import { Injectable } from '@nestjs/common';

import { SharedReading } from '../../platform/common/concurrency/shared-reading.js';
import { ReportsDataSource } from '../../platform/database/connection/reserved-data-source.js';

/** Limits on the question to the database: those who ask within a second share it. */
const LIMITS = { maximumAgeMs: 1_000, timeoutMs: 5_000 };

/** Probes the database. Callers share a probe while it is under way and for a second after its start. */
@Injectable()
export class DatabaseProbe {
  private readonly probe: SharedReading<boolean>;

  constructor(dataSource: ReportsDataSource) {
    this.probe = new SharedReading(async () => {
      await dataSource.query('SELECT 1');
      return true;
    }, LIMITS);
  }

  /** Checks that the database answers, or did so within the last second. Never rejects. */
  async answers(): Promise<boolean> {
    return (await this.probe.get()) ?? false;
  }
}
