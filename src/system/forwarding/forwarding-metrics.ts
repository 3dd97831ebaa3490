import { Injectable } from '@nestjs/common';
import { metrics, type Counter, type ObservableCounter, type ObservableGauge } from '@opentelemetry/api';

import { SharedReading } from '../../platform/common/concurrency/shared-reading.js';
import type { DestinationName } from './destinations/destination.js';
import type { ForwardedLine } from './forwarded-line.js';
import { ForwardingRepository } from './forwarding.repository.js';

/** Limits on reading the standing: several scrapers share it, and a collection goes on without it. */
const LIMITS = { maximumAgeMs: 10_000, timeoutMs: 2_000 };

/** Forwarding in figures, by destination and log. */
@Injectable()
export class ForwardingMetrics {
  private readonly rows: Counter;
  private readonly failures: Counter;

  constructor(repository: ForwardingRepository) {
    const meter = metrics.getMeter('forwarding');
    this.rows = meter.createCounter('forwarding.sent', {
      unit: '{row}',
      description: 'Rows of logs that receivers have taken, by destination and log.',
    });
    this.failures = meter.createCounter('forwarding.attempts.failed', {
      unit: '{attempt}',
      description: 'Attempts to forward rows of logs that failed, by destination.',
    });
    const standing = new SharedReading(() => repository.standing(), LIMITS);
    const observe = (instrument: ObservableGauge | ObservableCounter, figure: 'rows' | 'seconds' | 'lost'): void => {
      instrument.addCallback(async (result) => {
        for (const one of (await standing.get()) ?? []) result.observe(one[figure], { destination: one.destination, log: one.log });
      });
    };
    observe(
      meter.createObservableGauge('forwarding.waiting', { unit: '{row}', description: 'Rows of logs that wait to be forwarded.' }),
      'rows',
    );
    observe(
      meter.createObservableGauge('forwarding.lag', { unit: 's', description: 'Age of the oldest row that waits to be forwarded.' }),
      'seconds',
    );
    observe(
      meter.createObservableCounter('forwarding.lost', {
        unit: '{row}',
        description: 'Rows of logs that were removed before they were forwarded.',
      }),
      'lost',
    );
  }

  /** Counts lines that a receiver has taken. */
  sent(destination: DestinationName, lines: readonly ForwardedLine[]): void {
    this.rows.add(lines.length, { destination, log: lines[0].log });
  }

  /** Counts an attempt that failed. */
  failed(destination: DestinationName): void {
    this.failures.add(1, { destination });
  }
}
