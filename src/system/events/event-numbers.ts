import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { metrics, type Counter } from '@opentelemetry/api';

import { messageOf } from '../../platform/common/errors/errors.js';
import { InvalidationBus } from '../../platform/database/invalidation/invalidation-bus.js';
import { EventsRepository, WRITTEN_CHANNEL } from './events.repository.js';

/** Interval, in milliseconds, at which events are looked for whose notification was missed. */
const LOOK_INTERVAL_MS = 2_000;

/** Numbers events as soon as they are committed, when the database tells of them. */
@Injectable()
export class EventNumbers implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('EventNumbers');
  private readonly numbered: Counter;
  private running: Promise<void> | null = null;
  private isAskedAgain = false;
  private isStopping = false;

  constructor(
    private readonly repository: EventsRepository,
    private readonly invalidations: InvalidationBus,
  ) {
    this.numbered = metrics.getMeter('events').createCounter('events.recorded', {
      unit: '{event}',
      description: 'Events of tenants that readers can see.',
    });
  }

  onModuleInit(): void {
    this.invalidations.listen(WRITTEN_CHANNEL, () => this.look());
  }

  onApplicationBootstrap(): void {
    this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  /** Numbers events whose notification was missed. */
  @Interval(LOOK_INTERVAL_MS)
  look(): void {
    if (this.isStopping) return;
    if (this.running === null) this.running = this.numberAll();
    else this.isAskedAgain = true;
  }

  private async numberAll(): Promise<void> {
    try {
      do {
        this.isAskedAgain = false;
        for (let areMore = true; areMore && !this.isStopping;) {
          const batch = await this.repository.number();
          if (batch.count > 0) this.numbered.add(batch.count);
          areMore = batch.areMore;
        }
      } while (this.isAskedAgain && !this.isStopping);
    } catch (error) {
      if (!this.isStopping) this.logger.warn(`Events could not be numbered and will be later: ${messageOf(error)}`);
    } finally {
      this.running = null;
    }
  }
}
