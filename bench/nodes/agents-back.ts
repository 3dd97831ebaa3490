import { setTimeout as delay } from 'node:timers/promises';

import type { Program } from '../harness/program.js';
import type { Away, ReturningCalls } from '../loads/returning-agents.js';

const LOOK_MS = 50;
const WITHIN_MS = 120_000;

/** Waits until at least so many absences are over and no agent is away. Returns the end of the last one, in milliseconds since 1970. */
export async function agentsBack(load: Program<ReturningCalls>, atLeast: number): Promise<number> {
  const deadline = performance.now() + WITHIN_MS;
  const ask = (): Promise<Away> => load.call('absent', undefined);
  for (let now = await ask(); ; now = await ask()) {
    if (now.away === 0 && now.over >= atLeast) return now.lastBackAt;
    if (performance.now() > deadline)
      throw new Error(`${now.away} agents are still away, ${now.over} came back. Last failure: ${now.lastFailure}.`);
    await delay(LOOK_MS);
  }
}
