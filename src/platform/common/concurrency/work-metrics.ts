import { metrics, type Counter } from '@opentelemetry/api';

/** Number of works that run, and that wait for a place. */
export interface WorkUnderWay {
  readonly running: number;
  readonly waiting: number;
}

let refusals: Counter | undefined;

/** Reports what is under way in a bulkhead, under a name of a few words. */
export function observeWork(work: string, underWay: () => WorkUnderWay): void {
  const meter = metrics.getMeter('work');
  const running = meter.createObservableGauge('work.running', {
    unit: '{work}',
    description: 'Works under way in a limited place, by place.',
  });
  const waiting = meter.createObservableGauge('work.waiting', {
    unit: '{work}',
    description: 'Works that wait for a limited place, by place.',
  });
  meter.addBatchObservableCallback(
    (result) => {
      const now = underWay();
      result.observe(running, now.running, { work });
      result.observe(waiting, now.waiting, { work });
    },
    [running, waiting],
  );
}

/** Counts a work that was refused because too many wait; `work` is its name in the refusal, which contains no value of a caller. */
export function countRefusal(work: string): void {
  refusals ??= metrics.getMeter('work').createCounter('work.refused', {
    unit: '{work}',
    description: 'Works that were refused because too many waited, by work.',
  });
  refusals.add(1, { work });
}
