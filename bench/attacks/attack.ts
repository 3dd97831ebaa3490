import { setTimeout as delay } from 'node:timers/promises';

import type { LoadResult } from '../harness/load.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import type { AgentCalls } from '../loads/agents.js';

/** Outcomes of an attacker's calls, for the table: answered by the service, refused for a bound, or cut off. */
export interface AttackCount {
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
}

/** An attack that runs until it is stopped. */
interface RunningAttack {
  stop(): Promise<AttackCount>;
}

/** Something that a caller may do to make others wait. */
export interface Attack {
  /** The attacker's action, as the table has it. */
  readonly title: string;
  /** Most time of the typical report, as a multiple of that in quiet, if that is limited, too. */
  readonly mostP50?: number;
  /** Most time of the slowest per cent of the reports, as a multiple of that in quiet, if not as for other attacks. */
  readonly mostP99?: number;
  /** Prepares the attack. Returns a function that starts it, once in each round. */
  readonly prepare: (scene: Scene) => Promise<() => Promise<RunningAttack>>;
  /** Others beside the reporting devices whom the attack may hold up. Without it the devices alone are measured. */
  readonly bystanders?: Bystanders;
}

/** Others who go on working during an attack. */
interface Bystanders {
  /** Their action, as the table has it. */
  readonly title: string;
  /** Prepares them, after the attack. Returns a function that measures them once, for about as long as the reports take. */
  readonly prepare: (scene: Scene) => Promise<() => Promise<LoadResult>>;
}

/** Longest times of half of the reports, and of all but one per cent, in milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** Measurements during an attack: of the reports of registered devices, or of the calls of bystanders. */
export interface AttackResult {
  readonly title: string;
  readonly quiet: Quantiles;
  readonly attacked: Quantiles;
  /** Reports or calls that were refused or lost while the attack ran. */
  readonly failed: number;
  readonly mostP50: number;
  readonly mostP99: number;
  /** Outcomes of the attacker's calls in all rounds. */
  readonly told: AttackCount;
}

/** Most time of the slowest per cent of the reports while an attack runs, as a multiple of that in quiet. */
export const MOST_P99 = 10;
/** Devices that report; each does so several times in a round. */
export const REPORTING_DEVICES = 500;
export const REPORTS_PER_SECOND = 200;
/** Rounds of an attack, and of the quiet that it is compared with. */
export const ROUNDS = 2;
const REPORTS_EACH = 2;
/** Time for which reports are measured in a round, in seconds. */
export const SECONDS = (REPORTING_DEVICES * REPORTS_EACH) / REPORTS_PER_SECOND;
/** An attack gets under way before its effect is measured. */
const HEAD_START_MS = 1_000;

/** Measurements of one round: the reports, and the calls of bystanders during that time. */
interface Round {
  readonly reports: LoadResult;
  readonly bystanders: LoadResult | null;
}

/**
 * Measures the reports of devices while an attack runs, and without it, in turns; with the bystanders of the attack, these as well. One
 * result each.
 */
export function measureAttack({
  title,
  mostP50 = Number.POSITIVE_INFINITY,
  mostP99 = MOST_P99,
  prepare,
  bystanders,
}: Attack): Promise<AttackResult[]> {
  return Scene.play(REPORTING_DEVICES, async (scene) => {
    const { service, fleet } = scene;
    const agents = scene.program<AgentCalls>('loads/agents');
    const target = { url: service.url, path: '/hubs/agent', tenantId: fleet.tenantId };
    await agents.call('connect', { target, devices: Array.from({ length: REPORTING_DEVICES }, (_, index) => index) });
    const start = await prepare(scene);
    const measureBystanders = (await bystanders?.prepare(scene)) ?? (() => null);
    const counts: AttackCount[] = [];

    const measure = async (): Promise<Round> => {
      await agents.call('prepare', REPORTS_EACH);
      const [reports, others] = await Promise.all([agents.call('beatSteadily', REPORTS_PER_SECOND), measureBystanders()]);
      return { reports, bystanders: others };
    };
    const measureUnderAttack = async (): Promise<Round> => {
      const attack = await start();
      try {
        await delay(HEAD_START_MS);
        return await measure();
      } finally {
        counts.push(await attack.stop());
      }
    };

    await measure();
    const rounds = await inTurns(ROUNDS, { quiet: measure, attacked: measureUnderAttack });
    const total = (member: keyof AttackCount): number => counts.reduce((sum, each) => sum + each[member], 0);
    const told = { answered: total('answered'), refused: total('refused'), failed: total('failed') };
    const resultOf = (what: string, part: (round: Round) => LoadResult | null): AttackResult => {
      const [quiet, attacked] = [rounds.quiet, rounds.attacked].map((each) => each.flatMap((round) => part(round) ?? []));
      const failed = attacked.reduce((sum, result) => sum + result.failed, 0);
      return { title: what, mostP50, mostP99, quiet: quantilesOf(quiet), attacked: quantilesOf(attacked), failed, told };
    };
    const result = resultOf(title, ({ reports }) => reports);
    if (bystanders === undefined) return [result];
    return [result, resultOf(`… ${bystanders.title}`, (round) => round.bystanders)];
  });
}

function quantilesOf(results: readonly LoadResult[]): Quantiles {
  return { p50: median(results.map(({ p50 }) => p50)), p99: median(results.map(({ p99 }) => p99)) };
}
