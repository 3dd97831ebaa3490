import { Injectable } from '@nestjs/common';

import { ReportsDataSource } from '../../platform/database/connection/reserved-data-source.js';

/** Time-out of the database's answer. */
const TIMEOUT_MS = 5_000;
/** Greatest age of a probe's answer, so that the number of callers does not matter to the database. */
const MAXIMUM_AGE_MS = 1_000;

interface Probe {
  readonly startedAt: number;
  readonly answer: Promise<boolean>;
}

/** Probes the database. Callers share a probe while it is under way and for a second after its start. */
@Injectable()
export class DatabaseProbe {
  private latest: Probe | null = null;
  private isUnderWay = false;

  constructor(private readonly dataSource: ReportsDataSource) {}

  /** Checks that the database answers, or did so within the last second. Never rejects. */
  answers(): Promise<boolean> {
    const now = performance.now();
    if (this.latest === null || (!this.isUnderWay && now - this.latest.startedAt > MAXIMUM_AGE_MS)) {
      this.latest = { startedAt: now, answer: this.probe() };
    }
    return this.latest.answer;
  }

  private async probe(): Promise<boolean> {
    this.isUnderWay = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    });
    const query = this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
    try {
      return await Promise.race([query, late]);
    } finally {
      clearTimeout(timer);
      this.isUnderWay = false;
    }
  }
}
