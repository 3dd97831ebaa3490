import type { ExportResult } from '@opentelemetry/core';
import type { AggregationTemporalitySelector, PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics';

import type { LostExports } from './lost-exports.js';

type Exporter = PushMetricExporter & { readonly selectAggregationTemporality: AggregationTemporalitySelector };

/** Counts exports of metrics that do not arrive. Their figures are not kept: the next export has newer ones. */
export class CountedMetricExporter implements PushMetricExporter {
  readonly selectAggregationTemporality: AggregationTemporalitySelector;

  constructor(
    private readonly exporter: Exporter,
    private readonly lost: LostExports,
  ) {
    this.selectAggregationTemporality = (kind) => exporter.selectAggregationTemporality(kind);
  }

  export(figures: ResourceMetrics, done: (result: ExportResult) => void): void {
    this.exporter.export(figures, (result) => done(this.lost.note(result)));
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
