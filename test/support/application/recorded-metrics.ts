import { metrics, type Attributes } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';

/** Collects only when a test asks. */
class Reader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** Values of this process's counters, from its construction to {@link stop}. Make it before the service starts. */
export class RecordedMetrics {
  private readonly reader = new Reader();

  constructor() {
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [this.reader] }));
  }

  async stop(): Promise<void> {
    metrics.disable();
    await this.reader.shutdown();
  }

  /** The sum of a counter over all whose attributes include these. */
  async sum(name: string, attributes: Attributes): Promise<number> {
    const { resourceMetrics } = await this.reader.collect();
    return resourceMetrics.scopeMetrics
      .flatMap((scope) => scope.metrics)
      .filter(({ descriptor }) => descriptor.name === name)
      .flatMap((metric) => [...metric.dataPoints])
      .filter((point) => Object.entries(attributes).every(([key, value]) => point.attributes[key] === value))
      .reduce((total, { value }) => total + Number(value), 0);
  }
}
