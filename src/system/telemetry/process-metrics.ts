import { monitorEventLoopDelay } from 'node:perf_hooks';

import { metrics, type BatchObservableCallback } from '@opentelemetry/api';

/** Milliseconds between two looks at the delay of the event loop. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
const PERCENTILES = [50, 99] as const;

/** Observes event loop, memory and processor time of this process until the returned function is called. */
export function observeProcess(): () => void {
  const meter = metrics.getMeter('process');
  const delay = meter.createObservableGauge('nodejs.eventloop.delay', {
    unit: 's',
    description: 'Delay of the event loop since the last collection, by percentile (50, 99, 100).',
  });
  const resident = meter.createObservableGauge('process.memory.resident', { unit: 'By', description: 'Resident memory.' });
  const heap = meter.createObservableGauge('process.memory.heap', { unit: 'By', description: 'Memory of JavaScript objects.' });
  const processor = meter.createObservableCounter('process.cpu.time', {
    unit: 's',
    description: 'Processor time, by mode (user, system).',
  });
  const uptime = meter.createObservableGauge('process.uptime', { unit: 's', description: 'Time since the start.' });
  const instruments = [delay, resident, heap, processor, uptime];

  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  loop.enable();
  const observe: BatchObservableCallback = (result) => {
    // The timer itself takes its resolution, which is no delay.
    const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1_000);
    if (loop.count > 0) {
      for (const percentile of PERCENTILES) result.observe(delay, seconds(loop.percentile(percentile)), { percentile: String(percentile) });
      result.observe(delay, seconds(loop.max), { percentile: '100' });
    }
    loop.reset();
    const { rss, heapUsed } = process.memoryUsage();
    result.observe(resident, rss);
    result.observe(heap, heapUsed);
    const { user, system } = process.cpuUsage();
    result.observe(processor, user / MICROSECONDS, { mode: 'user' });
    result.observe(processor, system / MICROSECONDS, { mode: 'system' });
    result.observe(uptime, process.uptime());
  };
  meter.addBatchObservableCallback(observe, instruments);
  return () => {
    meter.removeBatchObservableCallback(observe, instruments);
    loop.disable();
  };
}
