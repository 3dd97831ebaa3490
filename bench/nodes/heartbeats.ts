import type { BenchPart } from '../harness/bench-part.js';
import type { Program } from '../harness/program.js';
import { inTurns } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { countedRound, loadNotes, Side, whole, type Round } from '../harness/side.js';
import type { AgentCalls } from '../loads/agents.js';
import { compared, numbers } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';
import { together } from './together.js';

const NODES = 3;
/** Agents of each node. */
const AGENTS = 500;
/** Heartbeats a second of each node. */
const RATE = 2_000;
const BEATS = 16;
const ROUNDS = 5;

type Load = Program<AgentCalls>;

/** Goal N3: heartbeats that nobody watches at three nodes, each of which tells the others, compared with one service alone. */
export const heartbeats: BenchPart = {
  title: 'heartbeats that nobody watches, three nodes against one',
  needs: [NATS],
  measure: () =>
    Scene.play(AGENTS, (alone) =>
      NodesScene.play({ devices: NODES * AGENTS, nodes: NODES }, async (scene) => {
        const single = [await reporting(alone.program('loads/agents'), alone.service.url, alone.fleet.tenantId, 0)];
        const each = await Promise.all(
          scene.nodes.map(({ url }, number) => reporting(scene.program('loads/agents'), url, scene.fleet.tenantId, number * AGENTS)),
        );
        const oneRound = (): Promise<Round> => beat(single, () => alone.service.cpuSeconds());
        const threeRound = (): Promise<Round> => beat(each, () => scene.cpuSeconds());
        await oneRound();
        await threeRound();
        const rounds = await inTurns(ROUNDS, { one: oneRound, three: threeRound });
        const [one, three] = [new Side(rounds.one), new Side(rounds.three)];
        const slow =
          three.rate < 0.95 * NODES * RATE ? [`this machine managed ${whole(three.rate)} heartbeats a second at three nodes`] : [];
        return {
          findings: [
            compared({
              goal: 'N3',
              what: `signed heartbeat, stored, ${whole(RATE)}/s a node, ${NODES} nodes against one service alone`,
              better: 'lower',
              floor: 1.1,
              aim: 1.03,
              base: one.cpu,
              measured: three.cpu,
              text: (value) => `${value.toFixed(1)} µs`,
              notes: [...loadNotes(one, three), ...slow],
            }),
          ],
        };
      }),
    ),
};

/** Connects agents to a server. */
async function reporting(load: Load, url: string, tenantId: string, first: number): Promise<Load> {
  await load.call('connect', { target: { url, path: '/hubs/agent', tenantId }, devices: numbers(first, AGENTS) });
  return load;
}

async function beat(loads: readonly Load[], cpu: () => Promise<number>): Promise<Round> {
  await Promise.all(loads.map((load) => load.call('prepare', BEATS)));
  return countedRound(cpu, async () => together(await Promise.all(loads.map((load) => load.call('beatSteadily', RATE)))));
}
