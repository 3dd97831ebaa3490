import type { BenchPart } from '../harness/bench-part.js';
import { inTurns } from '../harness/rounds.js';
import { countedRound, loadNotes, Side, type Round } from '../harness/side.js';
import type { PushCalls } from '../loads/pushes.js';
import { compared, numbers } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';

/** Devices of each side. Each reports once a second, so that no push at another node shows two reports. */
const DEVICES = 500;
const REPORTS_PER_SECOND = 500;
const VIEWERS = 10;
const REPORTS = 4;
const ROUNDS = 5;

/** Goal N4: heartbeats pushed to viewers at other nodes, compared with viewers at the node of the agents. */
export const pushes: BenchPart = {
  title: 'heartbeats pushed to viewers at other nodes',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: 2 * DEVICES }, async (scene) => {
      const [home, ...others] = scene.nodes.map(({ url }) => url);
      const play = async (first: number, viewerUrls: readonly string[]): Promise<() => Promise<Round>> => {
        const load = scene.program<PushCalls>('loads/pushes');
        const { tenantId, apiKey } = scene.fleet;
        const devices = numbers(first, DEVICES);
        await load.call('connect', { url: home, tenantId, apiKey, devices, viewers: VIEWERS, viewerUrls, joins: true });
        const round = async (count: number): Promise<Round> => {
          await load.call('prepare', count);
          return countedRound(
            () => scene.cpuSecondsWithDatabase(),
            () => load.call('report', REPORTS_PER_SECOND),
          );
        };
        await round(1);
        return () => round(REPORTS);
      };
      const rounds = await inTurns(ROUNDS, { near: await play(0, [home]), far: await play(DEVICES, others) });
      const [near, far] = [new Side(rounds.near), new Side(rounds.far)];
      const what = `heartbeats at ${REPORTS_PER_SECOND}/s pushed to ${VIEWERS} viewers at other nodes`;
      const notes = loadNotes(near, far);
      return {
        findings: [
          compared({
            goal: 'N4',
            what: `${what}: processor time of a push, with PostgreSQL`,
            better: 'lower',
            floor: 2.5,
            aim: 1.6,
            notes,
            base: near.cpu,
            measured: far.cpu,
            text: (value) => `${value.toFixed(1)} µs`,
          }),
          {
            goal: 'N4',
            what: `${what}: p99`,
            better: 'lower',
            floor: 250,
            aim: 150,
            unit: 'ms',
            notes,
            value: far.p99,
            baseline: `${near.p99.toFixed(1)} ms, median ${near.p50.toFixed(1)} ms`,
            measured: `${far.p99.toFixed(1)} ms, median ${far.p50.toFixed(1)} ms`,
          },
        ],
      };
    }),
};
