import { Injectable } from '@nestjs/common';
import { metrics, type Counter, type Histogram, type ObservableGauge } from '@opentelemetry/api';

import { SharedReading } from '../../platform/common/concurrency/shared-reading.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Bounds of the durations, in seconds. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Limits on reading the standing of deliveries: several scrapers share it, and a collection goes on without it. */
const LIMITS = { maximumAgeMs: 10_000, timeoutMs: 2_000 };

/** Outcome of an attempt, for metrics. */
export type AttemptOutcome = 'delivered' | 'retried' | 'failed';

/** Deliveries to webhooks in figures. */
@Injectable()
export class WebhookMetrics {
  private readonly attempts: Counter;
  private readonly durations: Histogram;

  constructor(repository: WebhooksRepository) {
    const meter = metrics.getMeter('webhooks');
    this.attempts = meter.createCounter('webhook.attempts', {
      unit: '{attempt}',
      description: 'Attempts to deliver events to webhooks, by outcome (delivered, retried, failed).',
    });
    this.durations = meter.createHistogram('webhook.attempt.duration', {
      unit: 's',
      description: 'Duration of attempts to deliver events to webhooks.',
      advice: { explicitBucketBoundaries: SECONDS },
    });
    const standing = new SharedReading(() => repository.standing(), LIMITS);
    const observe = (gauge: ObservableGauge, figure: 'waiting' | 'lag' | 'paused'): void => {
      gauge.addCallback(async (result) => {
        const row = await standing.get();
        if (row !== null) result.observe(row[figure]);
      });
    };
    observe(
      meter.createObservableGauge('webhook.deliveries.waiting', { unit: '{delivery}', description: 'Deliveries that wait to be sent.' }),
      'waiting',
    );
    observe(
      meter.createObservableGauge('webhook.delivery.lag', {
        unit: 's',
        description: 'Time by which the latest delivery is behind its next attempt.',
      }),
      'lag',
    );
    observe(
      meter.createObservableGauge('webhook.paused', {
        unit: '{webhook}',
        description: 'Webhooks that the service has paused, because their receivers failed.',
      }),
      'paused',
    );
  }

  /** Counts an attempt. */
  attempted(outcome: AttemptOutcome, seconds: number): void {
    this.attempts.add(1, { outcome });
    this.durations.record(seconds);
  }
}
