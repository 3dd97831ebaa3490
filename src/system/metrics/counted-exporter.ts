import { Logger } from '@nestjs/common';
import { metrics, type Counter } from '@opentelemetry/api';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { AggregationTemporalitySelector, PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics';

/** Counts and logs exports that do not arrive. Their figures are not kept: the next export has newer ones. */
export class CountedExporter implements PushMetricExporter {
  private readonly logger = new Logger('Metrics');
  private failures: Counter | undefined;
  private hasFailed = false;

  readonly selectAggregationTemporality: AggregationTemporalitySelector;

  constructor(private readonly exporter: PushMetricExporter & { readonly selectAggregationTemporality: AggregationTemporalitySelector }) {
    this.selectAggregationTemporality = (kind) => exporter.selectAggregationTemporality(kind);
  }

  export(figures: ResourceMetrics, done: (result: ExportResult) => void): void {
    this.exporter.export(figures, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.hasFailed = false;
      else this.failed(result.error);
      // The reader would write a failure to the console each time.
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private failed(error: Error | undefined): void {
    this.failures ??= metrics.getMeter('telemetry').createCounter('telemetry.exports.failed', {
      unit: '{export}',
      description: 'Exports of metrics by OTLP that did not arrive.',
    });
    this.failures.add(1);
    // Once, until an export arrives again.
    if (!this.hasFailed)
      this.logger.warn(`Metrics do not reach the receiver of OTEL_EXPORTER_OTLP_ENDPOINT: ${error?.message ?? 'no reason given'}`);
    this.hasFailed = true;
  }
}
