import { setTimeout as delay } from 'node:timers/promises';

import { REPEATABLE_GOALS } from '../goals/repeatable.js';
import type { BenchPart } from '../harness/bench-part.js';
import type { Finding } from '../harness/finding.js';
import { rateOf } from '../harness/load.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { makeDataDirectory, removeDataDirectory, Service } from '../harness/service.js';
import { settledBytes } from '../harness/settled.js';
import { loadNotes, Side } from '../harness/side.js';
import { buildBefore, commitBefore, type BuildBefore } from './build-before.js';

const ROUNDS = 9;
const STARTS = 5;
/** Time for the work that follows a start. */
const IDLE_MS = 3_000;
const MIB = 1_048_576;

/** Goal N14: a service alone, without the options of nodes, compared with its build before there were several nodes. */
export const unset: BenchPart = {
  title: 'one service alone against the build before several nodes',
  needs: [],
  measure: async () => {
    const commit = await commitBefore();
    if (commit === null) return { findings: [], skipped: ['one service alone: this checkout has no commit from before several nodes.'] };
    const before = await buildBefore(commit);
    try {
      return { findings: [...(await starts(before)), ...(await rates(before))] };
    } finally {
      await before.remove();
    }
  },
};

/** Start and memory of an idle service. */
async function starts({ main, commit }: BuildBefore): Promise<Finding[]> {
  const [old, current] = [await makeDataDirectory(), await makeDataDirectory()];
  try {
    // The first starts create the databases.
    await startOnce(old, main);
    await startOnce(current);
    const sides = await inTurns(STARTS, { old: () => startOnce(old, main), current: () => startOnce(current) });
    const row = (what: string, of: keyof Idle, unit: 's' | 'MiB', floor: number, aim: number): Finding => {
      const figure = (each: readonly Idle[]): number => median(each.map((start) => start[of]));
      const text = (value: number): string => `${value.toFixed(unit === 's' ? 2 : 0)} ${unit}`;
      const [base, measured] = [figure(sides.old), figure(sides.current)];
      return {
        goal: 'N14',
        what: `one service alone against ${commit}: ${what}`,
        unit,
        better: 'lower',
        floor,
        aim,
        notes: [],
        baseline: text(base),
        measured: text(measured),
        value: measured - base,
      };
    };
    return [row('start to listening', 'seconds', 's', 0.15, 0.05), row('resident memory when idle', 'mebibytes', 'MiB', 8, 4)];
  } finally {
    await removeDataDirectory(old);
    await removeDataDirectory(current);
  }
}

interface Idle {
  readonly seconds: number;
  readonly mebibytes: number;
}

async function startOnce(directory: string, main?: string): Promise<Idle> {
  const service = await Service.start(directory, {}, main);
  try {
    await delay(IDLE_MS);
    const bytes = await settledBytes(service.pid, () => service.collectGarbage());
    return { seconds: service.startMilliseconds / 1000, mebibytes: bytes / MIB };
  } finally {
    await service.stop();
  }
}

/** Goals 2, 4 and 9 at both builds, each with a database of its own, in turns. */
async function rates({ main, commit }: BuildBefore): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { goal, title, devices, prepare } of REPEATABLE_GOALS) {
    const rounds = await Scene.play(
      devices,
      (old) => Scene.play(devices, async (current) => inTurns(ROUNDS, { old: await prepare(old), current: await prepare(current) })),
      {},
      main,
    );
    const [old, current] = [new Side(rounds.old), new Side(rounds.current)];
    findings.push({
      goal: 'N14',
      what: `one service alone against ${commit}: goal ${goal}, ${title}: rate`,
      unit: '',
      better: 'higher',
      baseline: old.text,
      measured: current.text,
      floor: 0.93,
      aim: 0.97,
      notes: loadNotes(old, current),
      // Rounds of one turn are close in time, so that both sides had the same machine.
      value: median(rounds.current.map(({ load }, turn) => rateOf(load) / rateOf(rounds.old[turn].load))),
    });
  }
  return findings;
}
