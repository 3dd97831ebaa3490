import { Logger } from '@nestjs/common';
import { metrics, type Counter } from '@opentelemetry/api';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';

const SUCCESS: ExportResult = { code: ExportResultCode.SUCCESS };

/** Counts and logs the exports of one signal that do not arrive. They are not kept. */
export class LostExports {
  private readonly logger = new Logger('Telemetry');
  private failures: Counter | undefined;
  private hasFailed = false;

  constructor(private readonly signal: 'metrics' | 'traces') {}

  /** Notes the result of an export, and returns the one to pass on: the packages of OpenTelemetry would write each failure to the console. */
  note({ code, error }: ExportResult): ExportResult {
    if (code === ExportResultCode.SUCCESS) {
      this.hasFailed = false;
      return SUCCESS;
    }
    this.failures ??= metrics.getMeter('telemetry').createCounter('telemetry.exports.failed', {
      unit: '{export}',
      description: 'Exports by OTLP that did not arrive, by signal (metrics, traces).',
    });
    this.failures.add(1, { signal: this.signal });
    // Once, until an export arrives again.
    if (!this.hasFailed) this.logger.warn(`${SENTENCES[this.signal]}: ${error?.message ?? 'no reason given'}`);
    this.hasFailed = true;
    return SUCCESS;
  }
}

const SENTENCES = {
  metrics: 'Metrics do not reach the receiver of OTEL_EXPORTER_OTLP_ENDPOINT',
  traces: 'Traces do not reach the receiver of OTEL_EXPORTER_OTLP_ENDPOINT',
};
