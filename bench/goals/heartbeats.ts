import type { HubBaselineCalls } from '../baselines/hub.js';
import type { Finding, Goal } from '../harness/finding.js';
import type { Program } from '../harness/program.js';
import { inTurns } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { countedRound, loadNotes, Side, type Round } from '../harness/side.js';
import { cpuSeconds } from '../harness/usage.js';
import type { AgentCalls } from '../loads/agents.js';
import type { AgentTarget } from '../loads/load-agent.js';

const DEVICES = 10_000;
const AGENTS = 500;
const WARM_UP_BEATS = 6;
const BEATS = 20;
const ROUNDS = 3;

/** Goal 2: heartbeats that are verified, stored and answered, compared with the same work without the framework. */
export const heartbeats: Goal = {
  number: 2,
  title: 'signed heartbeat, stored',
  measure: () => measureAt(DEVICES),
};

async function measureAt(devices: number): Promise<Finding[]> {
  return Scene.play(devices, async (scene) => {
    const { service, fleet } = scene;
    const baseline = scene.program<HubBaselineCalls>('baselines/hub');
    const load = scene.program<AgentCalls>('loads/agents');
    const baselineUrl = await baseline.call('start', service.database);
    const targetAt = (url: string): AgentTarget => ({ url, path: '/hubs/agent', tenantId: fleet.tenantId });

    const rounds = await inTurns(ROUNDS, {
      baseline: () => beatRound(load, targetAt(baselineUrl), { devices, beats: BEATS }, () => cpuSeconds(baseline.pid)),
      service: () => beatRound(load, targetAt(service.url), { devices, beats: BEATS }, () => service.cpuSeconds()),
    });
    const [bare, measured] = [new Side(rounds.baseline), new Side(rounds.service)];
    return [
      {
        goal: 2,
        what: `signed heartbeat, stored, ${AGENTS} agents of ${devices} devices: rate`,
        baseline: bare.text,
        measured: `${measured.text}, p99 ${measured.p99.toFixed(0)} ms`,
        value: measured.rate / bare.rate,
        unit: '',
        better: 'higher',
        floor: 0.5,
        aim: 0.9,
        notes: loadNotes(bare, measured),
      },
    ];
  });
}

/** Heartbeats of a round: those of each agent, whose devices are spread over so many. */
interface Beats {
  readonly devices: number;
  readonly beats: number;
}

/** Connects the agents, lets each send its heartbeats one after the other, and disconnects them. */
export async function beatRound(
  load: Program<AgentCalls>,
  target: AgentTarget,
  { devices, beats }: Beats,
  cpu: () => Promise<number>,
): Promise<Round> {
  const step = Math.floor(devices / AGENTS);
  await load.call('connect', { target, devices: Array.from({ length: AGENTS }, (_, index) => index * step) });
  await load.call('prepare', WARM_UP_BEATS);
  await load.call('beatAtOnce', undefined);
  await load.call('prepare', beats);
  const result = await countedRound(cpu, () => load.call('beatAtOnce', undefined));
  await load.call('disconnect', undefined);
  return result;
}
