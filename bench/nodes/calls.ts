import type { BenchPart } from '../harness/bench-part.js';
import { inTurns } from '../harness/rounds.js';
import { countedRound, loadNotes, Side, whole, type Round } from '../harness/side.js';
import type { AgentCalls } from '../loads/agents.js';
import type { Asking, ViewerCalls } from '../loads/viewers.js';
import { compared, numbers } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';

const PAIRS = 25;
const IN_FLIGHT = 2;
const SECONDS = 2;
const ROUNDS = 5;

/** Goals N1 and N2: a viewer's call to an agent at another node and back, compared with one at its own node. */
export const calls: BenchPart = {
  title: 'calls of viewers to agents at another node',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: 2 * PAIRS }, async (scene) => {
      const [home, other] = [scene.node(0), scene.node(1)];
      const near = await pairs(scene, 0, home.url, home.url);
      const far = await pairs(scene, PAIRS, home.url, other.url);
      const many = await inTurns(ROUNDS, { near: near.many, far: far.many });
      const single = await inTurns(ROUNDS, { near: near.single, far: far.single });

      const [nearMany, farMany] = [new Side(many.near), new Side(many.far)];
      const [nearOne, farOne] = [new Side(single.near), new Side(single.far)];
      const underWay = `viewer to agent and back across nodes, ${PAIRS * IN_FLIGHT} under way`;
      const oneByOne = 'viewer to agent and back across nodes, one at a time';
      const micro = (value: number): string => `${value.toFixed(1)} µs`;
      return {
        findings: [
          compared({
            goal: 'N1',
            what: `${underWay}: processor time`,
            better: 'lower',
            floor: 3.5,
            aim: 2.5,
            base: nearMany.cpu,
            measured: farMany.cpu,
            text: micro,
            notes: loadNotes(nearMany, farMany),
          }),
          compared({
            goal: 'N1',
            what: `${underWay}: rate`,
            better: 'higher',
            floor: 0.35,
            aim: 0.5,
            base: nearMany.rate,
            measured: farMany.rate,
            text: (value) => `${whole(value)}/s`,
            notes: loadNotes(nearMany, farMany),
          }),
          compared({
            goal: 'N2',
            what: `${oneByOne}: p50`,
            better: 'lower',
            floor: 4,
            aim: 2.5,
            base: nearOne.p50,
            measured: farOne.p50,
            text: (value) => `${value.toFixed(2)} ms`,
          }),
          compared({
            goal: 'N2',
            what: `${oneByOne}: processor time`,
            better: 'lower',
            floor: 5,
            aim: 3.5,
            base: nearOne.cpu,
            measured: farOne.cpu,
            text: micro,
          }),
        ],
      };
    }),
};

interface Pairs {
  readonly many: () => Promise<Round>;
  readonly single: () => Promise<Round>;
}

/** Connects agents and their viewers to nodes, and lets them call once. The functions are rounds of all viewers, and of one. */
async function pairs(scene: NodesScene, first: number, agentUrl: string, viewerUrl: string): Promise<Pairs> {
  const { tenantId, apiKey } = scene.fleet;
  const devices = numbers(first, PAIRS);
  const agents = scene.program<AgentCalls>('loads/agents');
  const viewers = scene.program<ViewerCalls>('loads/viewers');
  await agents.call('connect', { target: { url: agentUrl, path: '/hubs/agent', tenantId }, devices });
  await viewers.call('connect', { url: viewerUrl, path: '/hubs/viewer', apiKey, devices });
  const round = (load: Asking): Promise<Round> =>
    countedRound(
      () => scene.cpuSeconds(),
      () => viewers.call('askAgents', load),
    );
  const made = {
    many: () => round({ seconds: SECONDS, inFlight: IN_FLIGHT }),
    single: () => round({ seconds: SECONDS, inFlight: 1, of: 1 }),
  };
  await made.many();
  await made.single();
  return made;
}
