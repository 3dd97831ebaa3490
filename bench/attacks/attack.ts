import { setTimeout as delay } from 'node:timers/promises';

import type { LoadResult } from '../harness/load.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import type { AgentCalls } from '../loads/agents.js';

/** What an attacker was told, for the table: whether the service answered, refused for a bound, or cut off. */
export interface AttackCount {
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
}

/** An attack that runs until it is stopped. */
export interface RunningAttack {
  stop(): Promise<AttackCount>;
}

/** Something that a caller may do to make others wait. */
export interface Attack {
  /** What the attacker does, as the table has it. */
  readonly title: string;
  /** How many times as long as in quiet the typical report may take, if that is limited, too. */
  readonly mostP50?: number;
  /** Makes what the attack needs. What it returns starts the attack, once in each round. */
  readonly prepare: (scene: Scene) => Promise<() => Promise<RunningAttack>>;
}

/** Half of the reports, and all but one per cent, took at most so many milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** How the reports of registered devices fared. */
export interface AttackResult {
  readonly title: string;
  readonly quiet: Quantiles;
  readonly attacked: Quantiles;
  /** Reports that were refused or lost while the attack ran. */
  readonly failedReports: number;
  readonly mostP50: number;
  /** What the attacker was told in all rounds. */
  readonly told: AttackCount;
}

/** Devices that report; each does so several times in a round. */
export const REPORTING_DEVICES = 500;
export const REPORTS_PER_SECOND = 200;
/** As often as an attack is run, and its quiet measured. */
export const ROUNDS = 2;
const REPORTS_EACH = 2;
/** An attack gets under way before its effect is measured. */
const HEAD_START_MS = 1_000;

/** Measures the reports of devices while an attack runs, and without it, in turns. */
export function measureAttack({ title, mostP50 = Number.POSITIVE_INFINITY, prepare }: Attack): Promise<AttackResult> {
  return Scene.play(REPORTING_DEVICES, async (scene) => {
    const { service, fleet } = scene;
    const agents = scene.program<AgentCalls>('loads/agents');
    const target = { url: service.url, path: '/hubs/agent', tenantId: fleet.tenantId };
    await agents.call('connect', { target, devices: Array.from({ length: REPORTING_DEVICES }, (_, index) => index) });
    const start = await prepare(scene);
    const counts: AttackCount[] = [];

    const report = async (): Promise<LoadResult> => {
      await agents.call('prepare', REPORTS_EACH);
      return agents.call('beatSteadily', REPORTS_PER_SECOND);
    };
    const reportUnderAttack = async (): Promise<LoadResult> => {
      const attack = await start();
      try {
        await delay(HEAD_START_MS);
        return await report();
      } finally {
        counts.push(await attack.stop());
      }
    };

    await report();
    const rounds = await inTurns(ROUNDS, { quiet: report, attacked: reportUnderAttack });
    const quantiles = (results: readonly LoadResult[]): Quantiles => ({
      p50: median(results.map(({ p50 }) => p50)),
      p99: median(results.map(({ p99 }) => p99)),
    });
    const total = (member: keyof AttackCount): number => counts.reduce((sum, each) => sum + each[member], 0);
    return {
      title,
      mostP50,
      quiet: quantiles(rounds.quiet),
      attacked: quantiles(rounds.attacked),
      failedReports: rounds.attacked.reduce((sum, { failed }) => sum + failed, 0),
      told: { answered: total('answered'), refused: total('refused'), failed: total('failed') },
    };
  });
}
