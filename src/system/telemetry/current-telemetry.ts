/** The metrics and traces of this process, while they are collected. */
export interface Telemetry {
  /** Collects all metrics and returns them in the text form of Prometheus; null when no port is set for them. */
  readonly scrape: (() => Promise<string>) | null;
  /** True when spans are sent. */
  readonly isTraced: boolean;
  /** Exports once more, and ends. */
  stop(): Promise<void>;
}

let current: Telemetry | null = null;

/** The metrics and traces of this process; null when nothing collects them. Like the providers of OpenTelemetry they are there once in a process. */
export const currentTelemetry = (): Telemetry | null => current;

/** Sets the metrics and traces of this process; null when they are not collected any more. */
export function setTelemetry(telemetry: Telemetry | null): void {
  current = telemetry;
}
