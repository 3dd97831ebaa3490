import type { Attributes, Histogram, Meter } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  MeterProvider,
  MetricReader,
  type DataPoint,
  type Histogram as HistogramValue,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { DirectHistograms } from './direct-histograms.js';

const MAXIMUM_SERIES = 4;
const BOUNDARIES = [0.1, 1, 10];
const OPTIONS = { unit: 's', description: 'Durations.', advice: { explicitBucketBoundaries: BOUNDARIES } };
/** On bounds, between them and beyond; and what no histogram counts. */
const VALUES = [0, 0.1, 0.1000001, 1, 3, 10, 11, 1e9, Number.NaN, -1];

/** Collects only when a test asks. */
class Reader extends MetricReader {
  constructor(temporality: AggregationTemporality, metricProducers: MetricProducer[] = []) {
    super({ aggregationTemporalitySelector: () => temporality, metricProducers });
  }

  /** The metrics with all that a receiver is told, except times; the SDK keeps some members more, for itself. */
  async metrics(): Promise<object[]> {
    const { resourceMetrics, errors } = await this.collect();
    expect(errors).toEqual([]);
    return resourceMetrics.scopeMetrics.flatMap(({ scope, metrics }) =>
      metrics.map((metric) => {
        const { name, unit, description, valueType } = metric.descriptor;
        const dataPoints = (metric.dataPoints as DataPoint<unknown>[]).map(withoutTimes);
        return { ...metric, scope: scope.name, descriptor: { name, unit, description, valueType }, dataPoints };
      }),
    );
  }

  async histogram(): Promise<Extract<MetricData, { dataPoints: DataPoint<HistogramValue>[] }> | undefined> {
    const { resourceMetrics } = await this.collect();
    const [metric] = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
    return metric as Extract<MetricData, { dataPoints: DataPoint<HistogramValue>[] }> | undefined;
  }

  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

function withoutTimes({ attributes, value }: DataPoint<unknown>): object {
  if (typeof value !== 'object') return { attributes, value };
  const { buckets, sum, count, min, max } = value as HistogramValue;
  return { attributes, value: { buckets, sum, count, min, max } };
}

describe.each([
  ['all that was recorded', AggregationTemporality.CUMULATIVE],
  ['what was recorded since it last asked', AggregationTemporality.DELTA],
])('a direct histogram, for a reader that wants %s,', (_what, temporality) => {
  let direct: { readonly reader: Reader; readonly meter: Meter };
  let sdk: { readonly reader: Reader; readonly meter: Meter };
  let provider: MeterProvider;

  beforeEach(() => {
    const histograms = new DirectHistograms(MAXIMUM_SERIES);
    const readers = [new Reader(temporality, [histograms.producerFor(temporality)]), new Reader(temporality)];
    provider = new MeterProvider({ readers: [readers[0]], resource: emptyResource() });
    const other = new MeterProvider({
      readers: [readers[1]],
      resource: emptyResource(),
      views: [{ instrumentName: '*', aggregationCardinalityLimit: MAXIMUM_SERIES }],
    });
    direct = { reader: readers[0], meter: histograms.within(provider).getMeter('test') };
    sdk = { reader: readers[1], meter: other.getMeter('test') };
  });

  /** Does the same with a histogram of each kind. */
  function both(act: (histogram: Histogram) => void): void {
    for (const { meter } of [direct, sdk]) act(meter.createHistogram('test.duration', OPTIONS));
  }

  async function expectSame(): Promise<void> {
    const seen = await direct.reader.metrics();
    expect(seen).toEqual(await sdk.reader.metrics());
  }

  it('gives the points that the SDK gives', async () => {
    const frozen: Attributes = Object.freeze({ route: '/a', method: 'GET' });
    await expectSame();
    both((histogram) => {
      for (const value of VALUES) histogram.record(value, frozen);
      histogram.record(2);
    });
    await expectSame();
    await expectSame();
    both((histogram) => {
      histogram.record(5, { method: 'GET', route: '/a' });
      histogram.record(6, { method: 'PUT', route: '/a' });
    });
    await expectSame();
    both((histogram) => histogram.record(7, frozen));
    await expectSame();
  });

  it('puts more combinations of attributes than the limit into one series', async () => {
    both((histogram) => {
      for (let number = 0; number < 10; number += 1) histogram.record(number, Object.freeze({ number }));
      for (let number = 0; number < 10; number += 1) histogram.record(number, { number });
    });
    await expectSame();
    expect((await direct.reader.histogram())?.dataPoints.length ?? 0).toBeLessThanOrEqual(MAXIMUM_SERIES);
  });
});

describe('direct histograms', () => {
  let histograms: DirectHistograms;
  let meter: Meter;
  let reader: Reader;
  let other: Reader;

  beforeEach(() => {
    histograms = new DirectHistograms(MAXIMUM_SERIES);
    reader = new Reader(AggregationTemporality.CUMULATIVE, [histograms.producerFor(AggregationTemporality.CUMULATIVE)]);
    other = new Reader(AggregationTemporality.DELTA, [histograms.producerFor(AggregationTemporality.DELTA)]);
    meter = histograms.within(new MeterProvider({ readers: [reader, other] })).getMeter('test');
  });

  afterEach(async () => {
    await reader.shutdown();
    await other.shutdown();
  });

  it('keep what one reader was told for the other one', async () => {
    const histogram = meter.createHistogram('test.duration', OPTIONS);
    const count = async (from: Reader): Promise<number | undefined> => (await from.histogram())?.dataPoints[0]?.value.count;
    histogram.record(1);
    expect([await count(reader), await count(other)]).toEqual([1, 1]);
    histogram.record(1);
    histogram.record(1);
    expect([await count(other), await count(other), await count(reader)]).toEqual([2, undefined, 3]);
  });

  it('do not change what a reader was told while it still sends it', async () => {
    const histogram = meter.createHistogram('test.duration', OPTIONS);
    histogram.record(0.5);
    const told = (await reader.histogram())?.dataPoints[0]?.value;
    histogram.record(0.5);
    expect([told?.count, told?.buckets.counts]).toEqual([1, [0, 1, 0, 0]]);
  });

  it('of one name are one, and attributes that may change are read with each record', async () => {
    const attributes = { route: '/a' };
    meter.createHistogram('test.duration', OPTIONS).record(1, attributes);
    attributes.route = '/b';
    meter.createHistogram('test.duration', OPTIONS).record(1, attributes);
    expect((await reader.histogram())?.dataPoints.map((point) => point.attributes)).toEqual([{ route: '/a' }, { route: '/b' }]);
  });

  it('leave every other instrument to the SDK, and histograms without boundaries of their own', async () => {
    meter.createCounter('test.count').add(2);
    meter.createHistogram('test.size').record(3);
    const gauge = meter.createObservableGauge('test.gauge');
    meter.addBatchObservableCallback((result) => result.observe(gauge, 4), [gauge]);
    const { resourceMetrics } = await reader.collect();
    expect(resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics.map(({ descriptor }) => descriptor.name))).toEqual([
      'test.count',
      'test.size',
      'test.gauge',
    ]);
  });
});
