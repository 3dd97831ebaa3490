import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';

/** Ends of the names of Prometheus by unit of OpenTelemetry. Counts of things have none. */
const ENDS: Readonly<Record<string, string>> = { s: '.seconds', By: '.bytes' };

const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);

/** Returns metrics in the text form of Prometheus. As is usual there, names end with their units. */
export function prometheusText(metrics: ResourceMetrics): string {
  return serializer.serialize({
    ...metrics,
    scopeMetrics: metrics.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map((metric) => {
        const { name, unit } = metric.descriptor;
        return { ...metric, descriptor: { ...metric.descriptor, name: `${name}${ENDS[unit] ?? ''}` } };
      }),
    })),
  });
}
