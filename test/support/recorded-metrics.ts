import { createNoopMeter, metrics, type Attributes, type Meter } from '@opentelemetry/api';

/** What the counters of a process were told, from when it begins to record to {@link stop}. Begin before the service starts. */
export class RecordedMetrics {
  private readonly sums = new Map<string, number>();

  constructor() {
    const counter = (name: string) => ({ add: (value: number, attributes: Attributes = {}) => this.add(name, value, attributes) });
    const meter: Meter = Object.assign(createNoopMeter(), { createCounter: counter, createUpDownCounter: counter });
    metrics.setGlobalMeterProvider({ getMeter: () => meter });
  }

  stop(): void {
    metrics.disable();
  }

  /** The sum of a counter for these attributes. */
  of(name: string, attributes: Attributes): number {
    return this.sums.get(keyOf(name, attributes)) ?? 0;
  }

  private add(name: string, value: number, attributes: Attributes): void {
    const key = keyOf(name, attributes);
    this.sums.set(key, (this.sums.get(key) ?? 0) + value);
  }
}

function keyOf(name: string, attributes: Attributes): string {
  return JSON.stringify([name, Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
