import type { BenchPart } from '../harness/bench-part.js';
import { inTurns, median } from '../harness/rounds.js';
import type { RelayCalls, RelayResult } from '../loads/relay.js';
import { compared } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';

const PAIRS = 10;
const WARM_UP_BYTES = 67_108_864;
const BYTES = 268_435_456;
const ROUNDS = 5;
const BUSY = 0.9;
const MB = 1e6;

interface Round extends RelayResult {
  /** Milliseconds for a megabyte. */
  readonly cost: number;
}

/** Goal N6: sessions of the relay whose halves are at two nodes, compared with both at one. */
export const relay: BenchPart = {
  title: 'relay with its halves at two nodes',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: 1 }, async (scene) => {
      const connected = async (deviceNode: number): Promise<() => Promise<Round>> => {
        const load = scene.program<RelayCalls>('loads/relay');
        const { apiKey } = scene.fleet;
        await load.call('connect', { url: scene.node(0).url, deviceUrl: scene.node(deviceNode).url, apiKey, pairs: PAIRS });
        const round = async (bytes: number): Promise<Round> => {
          const before = await scene.cpuSeconds();
          const result = await load.call('send', bytes);
          return { ...result, cost: (((await scene.cpuSeconds()) - before) * 1000) / (result.bytes / MB) };
        };
        await round(WARM_UP_BYTES);
        return () => round(BYTES);
      };
      const { near, far } = await inTurns(ROUNDS, { near: await connected(0), far: await connected(1) });
      const rate = (rounds: readonly Round[]): number => median(rounds.map(({ bytes, seconds }) => bytes / MB / seconds));
      const cost = (rounds: readonly Round[]): number => median(rounds.map((round) => round.cost));
      const isBusy = (rounds: readonly Round[]): boolean => median(rounds.map(({ cpuSeconds, seconds }) => cpuSeconds / seconds)) > BUSY;
      const notes = isBusy(far) ? ['the load was the bottleneck of the service'] : [];
      const what = `relay across nodes, ${PAIRS} pairs, 64 KiB`;
      return {
        findings: [
          compared({
            goal: 'N6',
            what: `${what}: rate`,
            better: 'higher',
            floor: 0.5,
            aim: 0.8,
            notes,
            base: rate(near),
            measured: rate(far),
            text: (value) => `${value.toFixed(0)} MB/s`,
          }),
          {
            goal: 'N6',
            what: `${what}: processor time added`,
            better: 'lower',
            floor: 2.5,
            aim: 1.2,
            unit: 'ms/MB',
            notes,
            baseline: `${cost(near).toFixed(2)} ms/MB`,
            measured: `${cost(far).toFixed(2)} ms/MB`,
            value: cost(far) - cost(near),
          },
        ],
      };
    }),
};
