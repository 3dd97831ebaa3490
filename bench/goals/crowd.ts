import { setTimeout as delay } from 'node:timers/promises';

import type { HubBaselineCalls } from '../baselines/hub.js';
import type { Finding, Goal } from '../harness/finding.js';
import { rateOf, wasBottleneck, type LoadResult } from '../harness/load.js';
import { Scene } from '../harness/scene.js';
import { whole } from '../harness/side.js';
import { cpuSeconds } from '../harness/usage.js';
import type { AgentCalls } from '../loads/agents.js';
import type { ViewerCalls } from '../loads/viewers.js';

const AGENTS = 10_000;
const VIEWERS = 100;
const WARM_UP_AGENTS = 500;
/** Each agent reports once in half a minute. */
const BEATS_PER_SECOND = 333;
/** Time-out of the last updates to the viewers, in milliseconds. */
const HEARD_WITHIN_MS = 30_000;
const LOOK_MS = 100;

/** Measurements of one server. */
interface Crowd {
  readonly arriving: Measured;
  readonly beating: Measured;
  readonly returning: Measured;
}

interface Measured {
  readonly load: LoadResult;
  /** Processor time of the server per agent or heartbeat, in microseconds. */
  readonly cpu: number;
}

/**
 * Goal 8: ten thousand agents on one process. They connect and register at once, report while a hundred viewers watch a hundred devices
 * each, and come back at once after a network has broken. Every viewer has to hear of every device.
 */
export const crowd: Goal = {
  number: 8,
  title: `${whole(AGENTS)} agents at once, watched by ${VIEWERS} viewers`,
  measure: () =>
    Scene.play(AGENTS + WARM_UP_AGENTS, async (scene) => {
      const { service, fleet } = scene;
      const baseline = scene.program<HubBaselineCalls>('baselines/hub');
      const baselineUrl = await baseline.call('start', service.database);
      // One load with one set of keys: a device with a stored key accepts no other.
      const agents = scene.program<AgentCalls>('loads/agents');

      const play = async (url: string, cpu: () => Promise<number>): Promise<Crowd> => {
        const viewers = scene.program<ViewerCalls>('loads/viewers');
        const target = { url, path: '/hubs/agent', tenantId: fleet.tenantId };
        const all = numbers(0, AGENTS);
        const measured = async (run: () => Promise<LoadResult>): Promise<Measured> => {
          const before = await cpu();
          const load = await run();
          if (load.failed > 0) throw new Error(`${load.failed} of ${AGENTS} agents were refused.`);
          return { load, cpu: (((await cpu()) - before) * 1e6) / load.completed };
        };

        await agents.call('connect', { target, devices: numbers(AGENTS, AGENTS + WARM_UP_AGENTS) });
        await agents.call('disconnect', undefined);
        const arriving = await measured(() => agents.call('connect', { target, devices: all }));

        await viewers.call('watch', { url, path: '/hubs/viewer', apiKey: fleet.apiKey, watched: watchedBy(VIEWERS) });
        await agents.call('prepare', 1);
        const beating = await measured(() => agents.call('beatSteadily', BEATS_PER_SECOND));
        await untilHeard(() => viewers.call('heardOnline', undefined));

        await viewers.call('forget', undefined);
        await agents.call('lose', undefined);
        const returning = await measured(() => agents.call('connect', { target, devices: all }));
        await untilHeard(() => viewers.call('heardOnline', undefined));

        await viewers.stop();
        await agents.call('disconnect', undefined);
        return { arriving, beating, returning };
      };

      const bare = await play(baselineUrl, () => cpuSeconds(baseline.pid));
      const measured = await play(service.url, () => service.cpuSeconds());
      const watching = `${VIEWERS} viewers of ${AGENTS / VIEWERS} devices each`;
      return [
        rateFinding(`${whole(AGENTS)} agents connect and register at once`, bare.arriving, measured.arriving),
        rateFinding(`${whole(AGENTS)} agents come back at once, ${watching}`, bare.returning, measured.returning),
        {
          goal: 8,
          what: `heartbeats of ${whole(AGENTS)} agents at ${BEATS_PER_SECOND}/s, ${watching}: p99`,
          baseline: latencyText(bare.beating),
          measured: latencyText(measured.beating),
          value: measured.beating.load.p99 / bare.beating.load.p99,
          unit: '',
          better: 'lower',
          floor: 10,
          aim: 4,
          notes: notesOf(bare.beating, measured.beating),
        },
      ];
    }),
};

function rateFinding(what: string, bare: Measured, measured: Measured): Finding {
  return {
    goal: 8,
    what: `${what}: rate`,
    baseline: rateText(bare),
    measured: rateText(measured),
    value: rateOf(measured.load) / rateOf(bare.load),
    unit: '',
    better: 'higher',
    floor: 0.4,
    aim: 0.7,
    notes: notesOf(bare, measured),
  };
}

const rateText = ({ load, cpu }: Measured): string => `${whole(rateOf(load))}/s, ${cpu.toFixed(0)} µs, all in ${load.seconds.toFixed(1)} s`;

const latencyText = ({ load, cpu }: Measured): string => `${load.p99.toFixed(1)} ms, ${cpu.toFixed(0)} µs`;

function notesOf(bare: Measured, measured: Measured): string[] {
  return [
    ...(wasBottleneck(bare.load) ? ['the load was the bottleneck of the baseline'] : []),
    ...(wasBottleneck(measured.load) ? ['the load was the bottleneck of the service'] : []),
  ];
}

/** Waits until the viewers have heard of every device that it is online. */
async function untilHeard(heardOnline: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + HEARD_WITHIN_MS;
  for (let online = await heardOnline(); online < AGENTS; online = await heardOnline()) {
    if (performance.now() > deadline) throw new Error(`The viewers heard that ${online} of ${AGENTS} devices are online.`);
    await delay(LOOK_MS);
  }
}

/** The devices of each viewer: all devices, each watched by one. */
function watchedBy(viewers: number): number[][] {
  const each = AGENTS / viewers;
  return Array.from({ length: viewers }, (_, index) => numbers(index * each, (index + 1) * each));
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
