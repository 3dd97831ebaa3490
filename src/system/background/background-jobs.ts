import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';

import { Turns } from '../../platform/common/concurrency/turns.js';
import type { BackgroundJob, RunNoted } from './background-job.js';
import { DeviceJobs } from './device-jobs.js';
import { JobMetrics } from './job-metrics.js';
import { PeopleJobs } from './people-jobs.js';
import { MINUTE_MS } from './periods.js';
import { TenantJobs } from './tenant-jobs.js';

/** Jobs with a shorter period do not wait for the others, some of which take minutes. */
const LONG_PERIOD_MS = MINUTE_MS;

/** Runs the scheduled jobs. Each runs at the start and then in its period, once in all processes together. */
@Injectable()
export class BackgroundJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly all: readonly BackgroundJob[];
  /** Jobs run one after another, to leave database connections to requests. */
  private readonly turns = new Turns();
  /** The jobs that are running or waiting for their turn. */
  private readonly started = new Map<BackgroundJob, Promise<unknown>>();
  private readonly stopped = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly scheduler: SchedulerRegistry,
    private readonly metrics: JobMetrics,
    people: PeopleJobs,
    devices: DeviceJobs,
    tenants: TenantJobs,
  ) {
    this.all = [...people.all, ...devices.all, ...tenants.all];
  }

  onApplicationBootstrap(): void {
    for (const job of this.all) {
      this.start(job);
      // The scheduler's registry ends the interval when the service stops.
      this.scheduler.addInterval(
        job.name,
        setInterval(() => this.start(job), job.period),
      );
    }
  }

  /** Ends the running job before the database connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.idle();
  }

  /** Settles when no job is running or waiting. */
  async idle(): Promise<void> {
    await Promise.all(this.started.values());
  }

  private start(job: BackgroundJob): void {
    if (this.started.has(job)) return;
    const { signal } = this.stopped;
    const noted: RunNoted = (seconds, items) => this.metrics.ran(job.name, seconds, items);
    const run = async (): Promise<unknown> => (signal.aborted ? null : job.runIfDue(this.dataSource, signal, noted));
    const ended = this.turns.take(job.period < LONG_PERIOD_MS ? 'short' : 'long', run).finally(() => this.started.delete(job));
    this.started.set(job, ended);
  }
}
