import type { Settings } from '../../platform/config/settings.js';

/** Receivers of the metrics and traces of this process. */
export interface TelemetryTargets {
  /** A scraper asks for metrics on their port. */
  readonly prometheus: boolean;
  /** A collector gets metrics by OTLP. */
  readonly metrics: boolean;
  /** A collector gets traces by OTLP. */
  readonly traces: boolean;
}

/** The only form of OTLP that the service sends. */
const PROTOCOL = 'http/protobuf';

/** Returns the receivers that the options and the standard variables of OpenTelemetry name; null for none, with which nothing is collected. */
export function telemetryTargets({ metrics: { port } }: Settings, env: NodeJS.ProcessEnv): TelemetryTargets | null {
  const isOn = (env.OTEL_SDK_DISABLED ?? '').toLowerCase() !== 'true';
  const hasReceiver = (signal: 'METRICS' | 'TRACES'): boolean => {
    const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
    return isOn && endpoint !== '' && env[`OTEL_${signal}_EXPORTER`] !== 'none';
  };
  const targets = { prometheus: port !== 0, metrics: hasReceiver('METRICS'), traces: hasReceiver('TRACES') };
  return Object.values(targets).includes(true) ? targets : null;
}

/** A warning about a variable of OpenTelemetry that the service does not follow; null when there is none. */
export function telemetryWarning({ metrics, traces }: TelemetryTargets, env: NodeJS.ProcessEnv): string | null {
  const names = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'];
  const other = names.find((name) => env[name] !== undefined && env[name] !== PROTOCOL);
  if ((!metrics && !traces) || other === undefined) return null;
  return `${other}: metrics and traces are sent as ${PROTOCOL}, not as ${env[other]}.`;
}
