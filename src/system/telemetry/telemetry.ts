import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  InstrumentType,
  type IMetricReader,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';

import { SERVICE_VERSION } from '../../platform/common/runtime/service-version.js';
import { CountedMetricExporter } from './counted-metric-exporter.js';
import { setTelemetry } from './current-telemetry.js';
import { DirectHistograms } from './direct-histograms.js';
import { LostExports } from './lost-exports.js';
import { observeProcess } from './process-metrics.js';
import { prometheusText } from './prometheus-text.js';
import type { TelemetryTargets } from './telemetry-targets.js';

/** Milliseconds between two exports by OTLP, unless OTEL_METRIC_EXPORT_INTERVAL says otherwise. */
const EXPORT_INTERVAL_MS = 60_000;
/** Time-out of an export by OTLP, in milliseconds. Later figures replace those that did not arrive. */
const EXPORT_TIMEOUT_MS = 10_000;
/** Most combinations of attributes of one instrument. HTTP routes by method and status have the most. */
const MAXIMUM_SERIES = 4_000;

/**
 * Collects the metrics and traces of this process for these targets. Call it before the application is made: instruments that exist already stay
 * without effect.
 */
export async function startTelemetry(
  { prometheus, metrics: sendsMetrics, traces: sendsTraces }: TelemetryTargets,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  // The standard variables OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
  const resource = resourceFromAttributes({ 'service.name': 'device-management', 'service.version': SERVICE_VERSION }).merge(
    detectResources({ detectors: [envDetector] }),
  );
  const histograms = new DirectHistograms(MAXIMUM_SERIES);
  const scraped = prometheus
    ? new PrometheusExporter({ preventServerStart: true, metricProducers: [histograms.producerFor(AggregationTemporality.CUMULATIVE)] })
    : null;
  const readers: IMetricReader[] = scraped === null ? [] : [scraped];
  if (sendsMetrics) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
    const exporter = new CountedMetricExporter(new OTLPMetricExporter(), new LostExports('metrics'));
    readers.push(
      new PeriodicExportingMetricReader({
        exporter,
        metricProducers: [histograms.producerFor(exporter.selectAggregationTemporality(InstrumentType.HISTOGRAM))],
        exportIntervalMillis: intervalOf(env),
        exportTimeoutMillis: Math.min(EXPORT_TIMEOUT_MS, intervalOf(env)),
      }),
    );
  }
  const provider = new MeterProvider({
    resource,
    readers,
    views: [{ instrumentName: '*', aggregationCardinalityLimit: MAXIMUM_SERIES }],
  });
  metrics.setGlobalMeterProvider(histograms.within(provider));
  const stopObserving = observeProcess();
  const stopTraces = sendsTraces ? (await import('./traces.js')).startTraces(resource, new LostExports('traces')) : null;
  setTelemetry({
    isTraced: sendsTraces,
    scrape: scraped === null ? null : async () => prometheusText((await scraped.collect()).resourceMetrics),
    async stop() {
      setTelemetry(null);
      stopObserving();
      await stopTraces?.();
      await provider.shutdown();
      metrics.disable();
    },
  });
}

function intervalOf({ OTEL_METRIC_EXPORT_INTERVAL: interval }: NodeJS.ProcessEnv): number {
  const milliseconds = Number(interval);
  return Number.isSafeInteger(milliseconds) && milliseconds > 0 ? milliseconds : EXPORT_INTERVAL_MS;
}
