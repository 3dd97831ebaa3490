import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';

import type { BackgroundJob, RunNoted } from './background-job.js';
import { DeviceJobs } from './device-jobs.js';
import { JobMetrics } from './job-metrics.js';
import { PeopleJobs } from './people-jobs.js';
import { TenantJobs } from './tenant-jobs.js';

/** Runs the scheduled jobs. Each runs at the start and then in its period, once in all processes together. */
@Injectable()
export class BackgroundJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly all: readonly BackgroundJob[];
  /** Settles after the last job that was started. Jobs run one after another, to leave database connections to requests. */
  private turns: Promise<unknown> = Promise.resolve();
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
    await this.turns;
  }

  private start(job: BackgroundJob): void {
    const { signal } = this.stopped;
    const noted: RunNoted = (seconds, items) => this.metrics.ran(job.name, seconds, items);
    this.turns = this.turns.then(() => (signal.aborted ? null : job.runIfDue(this.dataSource, signal, noted)));
  }
}
