import { Injectable } from '@nestjs/common';
import { metrics, type Attributes, type Counter, type Histogram } from '@opentelemetry/api';

import { UpdateRefusal } from './update-acceptance.js';

/** Bounds of the delays of reports and of the times of batches, in seconds. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
/** Bounds of the sizes of batches, in reports. */
const SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];

type Outcome = 'accepted' | 'refused' | 'decommissioned';

/** The short names of the reasons of refusals: their sentences are for agents. */
const REASONS: ReadonlyMap<string, string> = new Map(Object.entries(UpdateRefusal).map(([name, sentence]) => [sentence, name]));
/** One frozen object for each outcome, which histograms know again: reports are many. */
const OUTCOMES: Readonly<Record<Outcome, Attributes>> = {
  accepted: Object.freeze({ outcome: 'accepted' }),
  refused: Object.freeze({ outcome: 'refused' }),
  decommissioned: Object.freeze({ outcome: 'decommissioned' }),
};

/** The reports of devices in figures, for a process whose metrics are collected. */
@Injectable()
export class ReportMetrics {
  private readonly delays: Histogram;
  private readonly refusals: Counter;
  private readonly batchSizes: Histogram;
  private readonly batchTimes: Histogram;

  constructor() {
    const meter = metrics.getMeter('devices');
    this.delays = meter.createHistogram('device.report.delay', {
      unit: 's',
      description: 'Time from the arrival of a report to its commit or refusal, by outcome.',
      advice: { explicitBucketBoundaries: SECONDS },
    });
    this.refusals = meter.createCounter('device.reports.refused', { unit: '{report}', description: 'Refused reports, by reason.' });
    this.batchSizes = meter.createHistogram('device.report.batch.size', {
      unit: '{report}',
      description: 'Reports and disconnects that were written together.',
      advice: { explicitBucketBoundaries: SIZES },
    });
    this.batchTimes = meter.createHistogram('device.report.batch.duration', {
      unit: 's',
      description: 'Time in which the database wrote a batch of reports.',
      advice: { explicitBucketBoundaries: SECONDS },
    });
  }

  /** Reports how many entries wait to be written. */
  observeWaiting(waiting: () => number): void {
    metrics
      .getMeter('devices')
      .createObservableGauge('device.reports.waiting', {
        unit: '{report}',
        description: 'Reports and disconnects that wait to be written.',
      })
      .addCallback((result) => result.observe(waiting()));
  }

  /** Counts a report that was answered; `reason` is the sentence of a refusal. */
  answered(outcome: Outcome, seconds: number, reason?: string): void {
    this.delays.record(seconds, OUTCOMES[outcome]);
    if (reason !== undefined) this.refusals.add(1, { reason: REASONS.get(reason) ?? 'Other' });
  }

  /** Counts a batch that was written. */
  wrote(entries: number, seconds: number): void {
    this.batchSizes.record(entries);
    this.batchTimes.record(seconds);
  }
}
