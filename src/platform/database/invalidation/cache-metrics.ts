import { metrics } from '@opentelemetry/api';

/** Look-ups of a cache since the process started, and what it holds. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
  readonly size: number;
}

/** Reports the look-ups of a cache and its size. */
export function observeCache(cache: string, figures: () => CacheFigures): void {
  const meter = metrics.getMeter('cache');
  const lookups = meter.createObservableCounter('cache.lookups', {
    unit: '{lookup}',
    description: 'Look-ups by cache and result (hit, miss).',
  });
  const entries = meter.createObservableGauge('cache.entries', { unit: '{entry}', description: 'Entries by cache.' });
  meter.addBatchObservableCallback(
    (result) => {
      const { hits, misses, size } = figures();
      result.observe(lookups, hits, { cache, result: 'hit' });
      result.observe(lookups, misses, { cache, result: 'miss' });
      result.observe(entries, size, { cache });
    },
    [lookups, entries],
  );
}
