import { register } from 'node:module';

import { INVALID_SPAN_CONTEXT, type Meter, metrics, trace } from '@opentelemetry/api';

import { passedMeter } from '../../src/system/telemetry/passed-meter.js';
import { beginSlices, slice } from './slices.js';

/*
 * The service with telemetry that is on in some slices of its time and off in the others. Services that were started one after the other
 * differ from each other by more than telemetry costs; the slices of one do not.
 */

const { BENCH_SLICES: file } = process.env;
if (file === undefined) throw new Error('BENCH_SLICES is not set.');

const setMeterProvider = metrics.setGlobalMeterProvider.bind(metrics);
metrics.setGlobalMeterProvider = (provider) =>
  setMeterProvider({ getMeter: (name, version, options) => switchedMeter(provider.getMeter(name, version, options)) });

const NOT_RECORDED = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const setTracerProvider = trace.setGlobalTracerProvider.bind(trace);
trace.setGlobalTracerProvider = (provider) =>
  setTracerProvider({
    getTracer: (...scope) => {
      const tracer = provider.getTracer(...scope);
      return {
        startSpan: (name, options, context) => (slice.isOn ? tracer.startSpan(name, options, context) : NOT_RECORDED),
        startActiveSpan: tracer.startActiveSpan.bind(tracer),
      };
    },
  });

register('./replaced-modules.js', import.meta.url);
beginSlices(file);
await import('../../src/main.js');

/** A meter whose counters and histograms take nothing while telemetry is off. What goes up and down again, and what is observed, goes on. */
function switchedMeter(meter: Meter): Meter {
  return {
    ...passedMeter(meter),
    createHistogram: (name, options) => {
      const histogram = meter.createHistogram(name, options);
      return {
        record: (value, attributes, context) => {
          if (slice.isOn) histogram.record(value, attributes, context);
        },
      };
    },
    createCounter: (name, options) => {
      const counter = meter.createCounter(name, options);
      return {
        add: (value, attributes, context) => {
          if (slice.isOn) counter.add(value, attributes, context);
        },
      };
    },
  };
}
