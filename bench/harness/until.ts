import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 50;

/** Waits until a condition holds. @throws Error with the sentence when it does not in time */
export async function until(what: string, holds: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}.`);
    await delay(LOOK_MS);
  }
}
