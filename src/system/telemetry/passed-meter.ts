import type { Meter } from '@opentelemetry/api';

/** Returns a meter that makes the instruments of another one, so that some of its members can be replaced. */
export function passedMeter(meter: Meter): Meter {
  return {
    createHistogram: (...given) => meter.createHistogram(...given),
    createGauge: (...given) => meter.createGauge(...given),
    createCounter: (...given) => meter.createCounter(...given),
    createUpDownCounter: (...given) => meter.createUpDownCounter(...given),
    createObservableGauge: (...given) => meter.createObservableGauge(...given),
    createObservableCounter: (...given) => meter.createObservableCounter(...given),
    createObservableUpDownCounter: (...given) => meter.createObservableUpDownCounter(...given),
    addBatchObservableCallback: (...given) => meter.addBatchObservableCallback(...given),
    removeBatchObservableCallback: (...given) => meter.removeBatchObservableCallback(...given),
  };
}
