import { setTimeout as delay } from 'node:timers/promises';

/**
 * Goes round `count` times at a steady rate per second, and gives each time the moment at which it was due, of `performance.now()`. It
 * does not fall behind: rounds that are late follow at once.
 */
export async function* steadily(rate: number, count: number): AsyncGenerator<number> {
  const started = performance.now();
  for (let round = 0; round < count; round += 1) {
    const due = started + (round * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await delay(early);
    yield due;
  }
}
