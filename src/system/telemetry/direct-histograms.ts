import { ValueType, type Attributes, type Histogram, type HrTime, type Meter, type MeterProvider } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram as HistogramValue,
  type HistogramMetricData,
  type MetricDescriptor,
  type MetricProducer,
  type ScopeMetrics,
} from '@opentelemetry/sdk-metrics';

import { passedMeter } from './passed-meter.js';

const NONE: Attributes = Object.freeze({});
/** Attributes of all records beyond the limit of series, as in the SDK. */
const OVERFLOW: Attributes = Object.freeze({ 'otel.metric.overflow': true });

/**
 * Histograms that find the series of frozen attributes by identity. Those of the SDK write attributes as a text with every record, which costs a
 * hub call more than everything else that telemetry notes of it. What readers collect is the same.
 */
export class DirectHistograms {
  private readonly scopes = new Map<string, Map<string, DirectHistogram>>();
  private readonly readers: AggregationTemporality[] = [];

  /** @param maximumSeries most combinations of attributes of one histogram */
  constructor(private readonly maximumSeries: number) {}

  /** Returns the points of all histograms for one more reader, which is there before the first record. */
  producerFor(temporality: AggregationTemporality): MetricProducer {
    const reader = this.readers.push(temporality) - 1;
    return {
      collect: () => Promise.resolve({ resourceMetrics: { resource: emptyResource(), scopeMetrics: this.collect(reader) }, errors: [] }),
    };
  }

  /** Returns a provider whose meters make these histograms and, for everything else, the instruments of `provider`. */
  within(provider: MeterProvider): MeterProvider {
    return {
      getMeter: (name, version, options) => {
        let scope = this.scopes.get(name);
        if (scope === undefined) this.scopes.set(name, (scope = new Map()));
        return this.meterOf(provider.getMeter(name, version, options), scope);
      },
    };
  }

  private meterOf(meter: Meter, scope: Map<string, DirectHistogram>): Meter {
    return {
      ...passedMeter(meter),
      createHistogram: (name, options) => {
        const boundaries = options?.advice?.explicitBucketBoundaries;
        if (boundaries === undefined) return meter.createHistogram(name, options);
        let histogram = scope.get(name);
        if (histogram === undefined) {
          const descriptor = { name, unit: options?.unit ?? '', description: options?.description ?? '', valueType: ValueType.DOUBLE };
          scope.set(name, (histogram = new DirectHistogram(descriptor, boundaries, this.readers, this.maximumSeries)));
        }
        return histogram;
      },
    };
  }

  private collect(reader: number): ScopeMetrics[] {
    const now = millisToHrTime(Date.now());
    return [...this.scopes].flatMap(([name, histograms]) => {
      const metrics = [...histograms.values()]
        .map((histogram) => histogram.collect(reader, now))
        .filter((data) => data.dataPoints.length > 0);
      return metrics.length === 0 ? [] : [{ scope: { name }, metrics }];
    });
  }
}

/** The records of one combination of attributes. */
interface Series {
  readonly attributes: Attributes;
  /** One for each reader. */
  readonly tallies: Tally[];
}

class DirectHistogram implements Histogram {
  private readonly series = new Map<string, Series>();
  /** The series of attributes that cannot change. */
  private readonly known = new WeakMap<Attributes, Series>();

  /** @param readers what each reader wants; all of them are there before the first record */
  constructor(
    private readonly descriptor: MetricDescriptor,
    private readonly boundaries: number[],
    private readonly readers: readonly AggregationTemporality[],
    private readonly maximumSeries: number,
  ) {}

  record(value: number, attributes: Attributes = NONE): void {
    if (!(value >= 0)) return;
    const { tallies } = this.known.get(attributes) ?? this.seriesOf(attributes);
    let bucket = 0;
    while (bucket < this.boundaries.length && value > this.boundaries[bucket]) bucket += 1;
    for (const tally of tallies) tally.add(value, bucket);
  }

  /** Returns the points for a reader. One that wants differences gets those since it last asked. */
  collect(reader: number, now: HrTime): HistogramMetricData {
    const temporality = this.readers[reader];
    const dataPoints: DataPoint<HistogramValue>[] = [];
    for (const { attributes, tallies } of this.series.values()) {
      const tally = tallies[reader];
      if (tally.count === 0) continue;
      dataPoints.push({ attributes, startTime: tally.since, endTime: now, value: tally.valueIn(this.boundaries) });
      if (temporality === AggregationTemporality.DELTA) tallies[reader] = new Tally(now, this.boundaries);
    }
    return { descriptor: this.descriptor, aggregationTemporality: temporality, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }

  private seriesOf(attributes: Attributes): Series {
    const series = this.storedSeries(attributes);
    if (Object.isFrozen(attributes)) this.known.set(attributes, series);
    return series;
  }

  private storedSeries(attributes: Attributes): Series {
    const key = keyOf(attributes);
    const stored = this.series.get(key);
    if (stored !== undefined) return stored;
    // One place is left for what does not fit, as in the SDK.
    if (this.series.size >= this.maximumSeries - 1 && attributes !== OVERFLOW) return this.storedSeries(OVERFLOW);
    const now = millisToHrTime(Date.now());
    const series = { attributes: { ...attributes }, tallies: this.readers.map(() => new Tally(now, this.boundaries)) };
    this.series.set(key, series);
    return series;
  }
}

/** The sums of one series for one reader: of all records, or of those that it was not told yet. */
class Tally {
  count = 0;
  private sum = 0;
  private min = Infinity;
  private max = -Infinity;
  private readonly counts: number[];

  constructor(
    readonly since: HrTime,
    boundaries: readonly number[],
  ) {
    this.counts = Array.from({ length: boundaries.length + 1 }, () => 0);
  }

  add(value: number, bucket: number): void {
    this.count += 1;
    this.sum += value;
    this.counts[bucket] += 1;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  valueIn(boundaries: number[]): HistogramValue {
    const { count, sum, min, max, counts } = this;
    return { buckets: { boundaries, counts: [...counts] }, sum, count, min, max };
  }
}

/** The same text for the same attributes in any order. */
function keyOf(attributes: Attributes): string {
  return JSON.stringify(Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1)));
}
