import type { BenchPart } from '../harness/bench-part.js';
import type { LoadResult } from '../harness/load.js';
import type { Program } from '../harness/program.js';
import { inTurns } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { countedRound, loadNotes, Side, whole, type Round } from '../harness/side.js';
import type { MixCalls } from '../loads/mix.js';
import { compared, numbers } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';
import { together } from './together.js';

const NODES = 3;
/** Devices and operations a second of each node. */
const DEVICES = 200;
const RATE = 800;
const OPERATIONS = 4_000;
const ROUNDS = 5;

type Load = Program<MixCalls>;

/** Goal N8: the cost of one operation at a service alone, over that at three nodes with as much work each. */
export const growth: BenchPart = {
  title: 'growth to three nodes',
  needs: [NATS],
  measure: () =>
    Scene.play(DEVICES, (alone) =>
      NodesScene.play({ devices: NODES * DEVICES, nodes: NODES }, async (scene) => {
        const [aloneFleet, fleet] = [alone.fleet, scene.fleet];
        const urls = scene.nodes.map(({ url }) => url);
        const single: Load = alone.program('loads/mix');
        await single.call('connect', {
          agentUrl: alone.service.url,
          urls: [alone.service.url],
          devices: numbers(0, DEVICES),
          tenantId: aloneFleet.tenantId,
          apiKey: aloneFleet.apiKey,
        });
        const each: Load[] = urls.map(() => scene.program('loads/mix'));
        for (const [number, load] of each.entries()) {
          await load.call('connect', {
            agentUrl: urls[number],
            urls,
            devices: numbers(number * DEVICES, DEVICES),
            tenantId: fleet.tenantId,
            apiKey: fleet.apiKey,
          });
        }
        const oneRound = (): Promise<Round> => mixed([single], () => alone.service.cpuSeconds());
        const threeRound = (): Promise<Round> => mixed(each, () => scene.cpuSeconds());
        await oneRound();
        await threeRound();
        const rounds = await inTurns(ROUNDS, { one: oneRound, three: threeRound });
        const [one, three] = [new Side(rounds.one), new Side(rounds.three)];
        const slow =
          three.rate < 0.95 * NODES * RATE ? [`this machine managed ${whole(three.rate)} operations a second at three nodes`] : [];
        return {
          findings: [
            {
              ...compared({
                goal: 'N8',
                what: `growth: an operation of a mix, ${whole(RATE)}/s a node, at one service over one at ${NODES} nodes`,
                better: 'higher',
                floor: 0.85,
                aim: 0.92,
                base: one.cpu,
                measured: three.cpu,
                text: (value) => `${value.toFixed(1)} µs`,
                notes: [...loadNotes(one, three), ...slow],
              }),
              value: one.cpu / three.cpu,
            },
          ],
        };
      }),
    ),
};

async function mixed(loads: readonly Load[], cpu: () => Promise<number>): Promise<Round> {
  await Promise.all(loads.map((load) => load.call('prepare', OPERATIONS)));
  const run = (load: Load): Promise<LoadResult> => load.call('run', { operations: OPERATIONS, rate: RATE });
  return countedRound(cpu, async () => together(await Promise.all(loads.map(run))));
}
