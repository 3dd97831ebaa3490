import { Injectable } from '@nestjs/common';
import { metrics, type Counter, type Histogram } from '@opentelemetry/api';

import { SharedReading } from '../../platform/common/concurrency/shared-reading.js';
import { ReportsDataSource } from '../../platform/database/connection/reserved-data-source.js';

/** Bounds of the durations, in seconds. */
const SECONDS = [0.01, 0.1, 1, 10, 60, 600];
/** Limits on reading the last runs: several scrapers share them, and a collection goes on without them. */
const LIMITS = { maximumAgeMs: 10_000, timeoutMs: 2_000 };

const LAST_RUNS = 'SELECT name, EXTRACT(EPOCH FROM finished_at)::float8 AS at FROM job_runs';

interface LastRun {
  readonly name: string;
  /** Seconds since 1970. */
  readonly at: number;
}

/** The scheduled jobs in figures, for a process whose metrics are collected. */
@Injectable()
export class JobMetrics {
  private readonly durations: Histogram;
  private readonly items: Counter;

  constructor(dataSource: ReportsDataSource) {
    const meter = metrics.getMeter('jobs');
    this.durations = meter.createHistogram('job.duration', {
      unit: 's',
      description: 'Duration of runs of scheduled jobs in this process, by job and outcome (done, failed).',
      advice: { explicitBucketBoundaries: SECONDS },
    });
    this.items = meter.createCounter('job.items', { unit: '{item}', description: 'Items that scheduled jobs have processed, by job.' });
    const lastRuns = new SharedReading(() => dataSource.query<LastRun[]>(LAST_RUNS), LIMITS);
    meter
      .createObservableGauge('job.success.time', {
        unit: 's',
        description: 'Time of the last run of a job that did not fail, on any node, in seconds since 1970.',
      })
      .addCallback(async (result) => {
        for (const { name, at } of (await lastRuns.get()) ?? []) result.observe(at, { job: name });
      });
  }

  /** Counts a run that processed this number of items; null for one that failed. */
  ran(job: string, seconds: number, items: number | null): void {
    this.durations.record(seconds, { job, outcome: items === null ? 'failed' : 'done' });
    if (items !== null) this.items.add(items, { job });
  }
}
