import type { Settings } from '../../platform/config/settings.js';

/** Receivers of the metrics of this process. */
export interface TelemetryTargets {
  /** A scraper asks on the port of metrics. */
  readonly prometheus: boolean;
  /** A collector gets them by OTLP. */
  readonly otlp: boolean;
}

/** The only form of OTLP that the service sends. */
const PROTOCOL = 'http/protobuf';

/** Returns the receivers that the options and the standard variables of OpenTelemetry name; null for none, with which nothing is collected. */
export function telemetryTargets({ metrics }: Settings, env: NodeJS.ProcessEnv): TelemetryTargets | null {
  const isOn = (env.OTEL_SDK_DISABLED ?? '').toLowerCase() !== 'true';
  const endpoint = env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const otlp = isOn && endpoint !== '' && env.OTEL_METRICS_EXPORTER !== 'none';
  const prometheus = metrics.port !== 0;
  return prometheus || otlp ? { prometheus, otlp } : null;
}

/** A warning about a variable of OpenTelemetry that the service does not follow; null when there is none. */
export function telemetryWarning({ otlp }: TelemetryTargets, env: NodeJS.ProcessEnv): string | null {
  const protocol = env.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? PROTOCOL;
  if (!otlp || protocol === PROTOCOL) return null;
  return `OTEL_EXPORTER_OTLP_PROTOCOL: metrics are sent as ${PROTOCOL}, not as ${protocol}.`;
}
