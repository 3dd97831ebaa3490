import { setTimeout as delay } from 'node:timers/promises';

import { createAdministrator, growFleet } from '../harness/database.js';
import type { Finding, Goal } from '../harness/finding.js';
import type { LoadResult } from '../harness/load.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { whole } from '../harness/side.js';
import { forgetPeak, peakResidentBytes, residentBytes } from '../harness/usage.js';
import type { AgentCalls } from '../loads/agents.js';

const AGENTS = 500;
/** A variable names a smaller number for a quick look. */
const DEVICES = Number(process.env.BENCH_DEVICES ?? 100_000);
const BEATS_PER_SECOND = 500;
const BEATS = 8;
const ROUNDS = 3;
const MOST_P99 = 3;
const MOST_MEMORY_MIB = 32;
const MIB = 1024 * 1024;
const POLL_MS = 250;

interface Round {
  readonly beats: LoadResult;
  /** Growth of the service's memory to its peak, in MiB. */
  readonly growth: number;
}

/** Goal 21: a backup must not delay reports of devices, nor need much memory. */
export const backup: Goal = {
  number: 21,
  title: 'reports beside a backup',
  measure: () => Scene.play(AGENTS, (scene) => measureIn(scene)),
};

async function measureIn(scene: Scene): Promise<Finding[]> {
  const { service, fleet } = scene;
  await growFleet(service.database, fleet, AGENTS, DEVICES);
  const apiKey = await createAdministrator(service.database);
  const agents = scene.program<AgentCalls>('loads/agents');
  const target = { url: service.url, path: '/hubs/agent', tenantId: fleet.tenantId };
  await agents.call('connect', { target, devices: Array.from({ length: AGENTS }, (_, index) => index) });
  const ask = async (method: 'GET' | 'POST'): Promise<{ readonly running: object | null }> => {
    const answer = await fetch(`${service.url}/account/server-backups`, { method, headers: { 'x-api-key': apiKey } });
    if (!answer.ok) throw new Error(`The service refused a backup: ${await answer.text()}`);
    return (await answer.json()) as { readonly running: object | null };
  };
  const seconds: number[] = [];

  const beat = async (): Promise<Round> => {
    await agents.call('prepare', BEATS);
    const before = await residentBytes(service.pid);
    await forgetPeak(service.pid);
    const beats = await agents.call('beatSteadily', BEATS_PER_SECOND);
    if (beats.failed > 0) throw new Error(`${beats.failed} reports were refused.`);
    return { beats, growth: ((await peakResidentBytes(service.pid)) - before) / MIB };
  };
  /** Backups follow each other as long as reports are measured. */
  const beatBesideBackup = async (): Promise<Round> => {
    const done = new AbortController();
    const backingUp = (async () => {
      while (!done.signal.aborted) {
        const started = performance.now();
        await ask('POST');
        while ((await ask('GET')).running !== null) await delay(POLL_MS);
        seconds.push((performance.now() - started) / 1_000);
      }
    })();
    const round = await beat().finally(() => done.abort());
    await backingUp;
    return round;
  };

  await beatBesideBackup();
  const rounds = await inTurns(ROUNDS, { quiet: beat, beside: beatBesideBackup });
  const p99 = (side: readonly Round[]): number => median(side.map(({ beats }) => beats.p99));
  const growth = (side: readonly Round[]): number => median(side.map((round) => round.growth));
  const notes = [`A backup took ${median(seconds).toFixed(1)} s.`];
  const what = `reports at ${BEATS_PER_SECOND}/s of ${whole(DEVICES)} devices while the service backs itself up`;
  const [quiet, beside] = [p99(rounds.quiet), p99(rounds.beside)];
  const [quietGrowth, besideGrowth] = [growth(rounds.quiet), growth(rounds.beside)];
  return [
    {
      goal: 21,
      what: `${what}: p99`,
      baseline: `${quiet.toFixed(1)} ms without a backup`,
      measured: `${beside.toFixed(1)} ms`,
      value: beside / quiet,
      unit: '',
      better: 'lower',
      floor: MOST_P99,
      aim: 2,
      notes,
    },
    {
      goal: 21,
      what: `${what}: growth of resident memory`,
      baseline: `${quietGrowth.toFixed(1)} MiB without a backup`,
      measured: `${besideGrowth.toFixed(1)} MiB`,
      value: besideGrowth - quietGrowth,
      unit: 'MiB',
      better: 'lower',
      floor: MOST_MEMORY_MIB,
      aim: 16,
      notes: [],
    },
  ];
}
