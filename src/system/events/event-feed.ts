import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { metrics } from '@opentelemetry/api';

import { InvalidationBus } from '../../platform/database/invalidation/invalidation-bus.js';
import { NUMBERED_CHANNEL } from './events.repository.js';

/** Interval, in milliseconds, at which readers look for events while no notifications arrive. */
const POLL_INTERVAL_MS = 1_000;

/** A reader that waits for events of a tenant. */
export class EventWatch {
  private hasNews = true;
  private wake: (() => void) | null = null;

  constructor(private readonly onEnd: (watch: EventWatch) => void) {}

  /** True if events may have come since the last look. */
  get isDue(): boolean {
    return this.hasNews;
  }

  /** Tells the reader to look. */
  notify(): void {
    this.hasNews = true;
    this.wake?.();
  }

  /** The reader looks now. */
  look(): void {
    this.hasNews = false;
  }

  /** Settles when events may have come, after the time, or when the signal fires. */
  async change(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.hasNews || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done);
      this.wake = done;
    });
  }

  /** Ends the watch. */
  end(): void {
    this.onEnd(this);
  }
}

/** Wakes the readers of a tenant's events. All of a process share one connection to the database for it. */
@Injectable()
export class EventFeed implements OnModuleInit, BeforeApplicationShutdown {
  private readonly watches = new Map<string, Set<EventWatch>>();
  private readonly listeners: (() => void)[] = [];
  private readonly stopped = new AbortController();

  constructor(private readonly invalidations: InvalidationBus) {
    metrics
      .getMeter('events')
      .createObservableGauge('events.readers', { unit: '{request}', description: 'Requests that wait for events.' })
      .addCallback((result) => result.observe(this.readerCount));
  }

  /** Requests that wait for events. */
  get readerCount(): number {
    return [...this.watches.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Fires when the service stops: then readers end, and go on at another process or after the next start. */
  get stopSignal(): AbortSignal {
    return this.stopped.signal;
  }

  onModuleInit(): void {
    this.invalidations.listen(NUMBERED_CHANNEL, (tenantId) => {
      for (const listener of this.listeners) listener();
      if (tenantId === null) this.notifyAll();
      else for (const watch of this.watches.get(tenantId) ?? []) watch.notify();
    });
  }

  beforeApplicationShutdown(): void {
    this.stopped.abort();
  }

  /** Calls back when events of any tenant may have come. */
  onEvents(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Watches the events of a tenant. End the watch in every case. */
  watch(tenantId: string): EventWatch {
    const watches = this.watches.get(tenantId) ?? new Set();
    const watch = new EventWatch((ended) => {
      watches.delete(ended);
      if (watches.size === 0) this.watches.delete(tenantId);
    });
    this.watches.set(tenantId, watches.add(watch));
    return watch;
  }

  /** Makes readers look for events by themselves while the database cannot tell of them. */
  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    if (!this.invalidations.isListening) this.notifyAll();
  }

  private notifyAll(): void {
    for (const watches of this.watches.values()) for (const watch of watches) watch.notify();
  }
}
