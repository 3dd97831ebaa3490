import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Time between two looks at the load, in milliseconds. */
const INTERVAL_MS = 5_000;
/** Share of an interval that the event loop of an idle process works at most. */
const IDLE_UTILIZATION = 0.05;
/** V8 shrinks its young generation only once it has seen that little is allocated. The first collection may come before that. */
const COLLECTIONS = 2;

/** A process whose memory is collected. */
export interface CollectedProcess {
  /** Returns the share of the time since the last call in which the event loop worked, 0 to 1. */
  readonly utilization: () => number;
  readonly collect: () => void;
}

/**
 * Returns memory to the system that only the start needed, some 30 MiB, once the process has little to do. By itself, V8 keeps it until the
 * next load. A collection takes 50 to 100 ms, so that a process with work is left alone.
 */
export function collectOnceIdle(collected: CollectedProcess = ownProcess()): void {
  let left = COLLECTIONS;
  collected.utilization();
  const timer = setInterval(() => {
    if (collected.utilization() > IDLE_UTILIZATION) return;
    collected.collect();
    left -= 1;
    if (left === 0) clearInterval(timer);
  }, INTERVAL_MS);
  timer.unref();
}

/** This process, with V8's own collector. */
export function ownProcess(): CollectedProcess {
  let last = performance.eventLoopUtilization();
  return {
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    collect: collector(),
  };
}

/** V8's collector, which a context has only if it is made while the option is on. A V8 without the option collects when it wants to. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext(`typeof gc === 'function' ? gc : () => {}`) as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
