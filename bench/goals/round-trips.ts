import type { HubBaselineCalls } from '../baselines/hub.js';
import type { Goal } from '../harness/finding.js';
import { inTurns } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { countedRound, loadNotes, Side, type Round } from '../harness/side.js';
import { cpuSeconds } from '../harness/usage.js';
import type { AgentCalls } from '../loads/agents.js';
import type { ViewerCalls } from '../loads/viewers.js';

const DEVICES = 1_000;
const PAIRS = 25;
const IN_FLIGHT = 2;
const SECONDS = 2;
const ROUNDS = 3;

/** Goal 4: a viewer's call to an agent and back, with a permission check per call, compared with a plain forwarder. */
export const roundTrips: Goal = {
  number: 4,
  title: 'viewer to agent round trips with the permission check',
  measure: () =>
    Scene.play(DEVICES, async (scene) => {
      const { service } = scene;
      const baseline = scene.program<HubBaselineCalls>('baselines/hub');
      const baselineUrl = await baseline.call('start', null);

      const rounds = await inTurns(ROUNDS, {
        baseline: await roundTripsAt(scene, baselineUrl, () => cpuSeconds(baseline.pid)),
        service: await roundTripsAt(scene, service.url, () => service.cpuSeconds()),
      });
      const [bare, measured] = [new Side(rounds.baseline), new Side(rounds.service)];
      const common = { goal: 4, unit: '', notes: loadNotes(bare, measured) } as const;
      return [
        {
          ...common,
          what: `viewer to agent and back, ${PAIRS} pairs, ${PAIRS * IN_FLIGHT} calls under way: rate`,
          baseline: bare.text,
          measured: measured.text,
          value: measured.rate / bare.rate,
          better: 'higher',
          floor: 0.4,
          aim: 0.6,
        },
        {
          ...common,
          what: 'viewer to agent and back: p99',
          baseline: `${bare.p99.toFixed(2)} ms`,
          measured: `${measured.p99.toFixed(2)} ms`,
          value: measured.p99 / bare.p99,
          better: 'lower',
          floor: 4,
          aim: 2,
        },
      ];
    }),
};

/** Connects pairs of viewers and agents to a server. Returns a function in which the viewers call their agents for a while. */
export async function roundTripsAt(scene: Scene, url: string, cpu: () => Promise<number>): Promise<() => Promise<Round>> {
  const { tenantId, apiKey } = scene.fleet;
  const devices = Array.from({ length: PAIRS }, (_, index) => index);
  const agents = scene.program<AgentCalls>('loads/agents');
  const viewers = scene.program<ViewerCalls>('loads/viewers');
  await agents.call('connect', { target: { url, path: '/hubs/agent', tenantId }, devices });
  await viewers.call('connect', { url, path: '/hubs/viewer', apiKey, devices });
  await viewers.call('askAgents', { seconds: SECONDS, inFlight: IN_FLIGHT });
  return () => countedRound(cpu, () => viewers.call('askAgents', { seconds: SECONDS, inFlight: IN_FLIGHT }));
}
