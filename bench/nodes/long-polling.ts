import type { BenchPart } from '../harness/bench-part.js';
import { inTurns } from '../harness/rounds.js';
import { countedRound, loadNotes, Side, type Round } from '../harness/side.js';
import type { PollingCalls } from '../loads/long-polling.js';
import { compared } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';

const CONNECTIONS = 20;
const SECONDS = 2;
const ROUNDS = 9;
/** Rounds before those that count: the nodes compile the way between them for some 20 seconds of load. */
const WARMING_ROUNDS = 10;

/** Goal N7: requests of long polling that come to another node than the one of their connection, compared with the right one. */
export const longPolling: BenchPart = {
  title: 'long polling at another node than its own',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: 1 }, async (scene) => {
      const polling = async (node: number): Promise<() => Promise<Round>> => {
        const load = scene.program<PollingCalls>('loads/long-polling');
        const { apiKey } = scene.fleet;
        await load.call('connect', { url: scene.node(0).url, pollUrl: scene.node(node).url, apiKey, connections: CONNECTIONS });
        return () =>
          countedRound(
            () => scene.cpuSeconds(),
            () => load.call('call', SECONDS),
          );
      };
      const sides = { right: await polling(0), wrong: await polling(1) };
      await inTurns(WARMING_ROUNDS, sides);
      const rounds = await inTurns(ROUNDS, sides);
      const [right, wrong] = [new Side(rounds.right), new Side(rounds.wrong)];
      return {
        findings: [
          compared({
            goal: 'N7',
            what: 'call by long polling, two requests at the wrong node: processor time',
            better: 'lower',
            floor: 4,
            aim: 2.5,
            base: right.cpu,
            measured: wrong.cpu,
            text: (value) => `${value.toFixed(0)} µs`,
            notes: loadNotes(right, wrong),
          }),
        ],
      };
    }),
};
