import type { BenchPart } from '../harness/bench-part.js';
import type { AgentCalls } from '../loads/agents.js';
import type { NotedCall, ViewerCalls } from '../loads/viewers.js';
import { numbers } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';

const PAIRS = 10;
const CALLS_PER_SECOND = 100;
/** A server that ends in order lets its clients go for ten seconds first. */
const CALLING_SECONDS = 16;

/** Goal N10, the servers of NATS: three are restarted one after the other while nodes call each other. */
export const natsRoll: BenchPart = {
  title: 'rolling restart of NATS',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: PAIRS, nats: 3, isRough: true }, async (scene) => {
      const { tenantId, apiKey } = scene.fleet;
      const devices = numbers(0, PAIRS);
      const agents = scene.program<AgentCalls>('loads/agents');
      const viewers = scene.program<ViewerCalls>('loads/viewers');
      await agents.call('connect', { target: { url: scene.node(1).url, path: '/hubs/agent', tenantId }, devices });
      await viewers.call('connect', { url: scene.node(0).url, path: '/hubs/viewer', apiKey, devices });
      await viewers.call('askAgents', { seconds: 1, inFlight: 1 });

      const gaps: number[] = [];
      let failed = 0;
      for (const server of scene.nats.all) {
        const calling = viewers.call('noteCalls', { seconds: CALLING_SECONDS, rate: CALLS_PER_SECOND });
        await server.leave();
        await server.start();
        await scene.nats.untilJoined();
        const noted = await calling;
        gaps.push(longestGap(noted));
        failed += noted.filter(({ succeeded }) => !succeeded).length;
      }
      const longest = Math.max(...gaps) / 1000;
      return {
        findings: [
          {
            goal: 'N10',
            what: 'rolling restart of 3 servers of NATS: longest time in which calls across nodes are refused',
            baseline: '',
            measured: `${longest.toFixed(2)} s, ${failed} calls failed`,
            value: longest,
            unit: 's',
            better: 'lower',
            floor: 1,
            aim: 0.3,
            notes: [],
          },
        ],
      };
    }),
};

/** The longest time from the beginning of a call that failed to the end of the next one that succeeded, in milliseconds. */
function longestGap(calls: readonly NotedCall[]): number {
  let longest = 0;
  let since: number | null = null;
  for (const { begunAt, endedAt, succeeded } of calls) {
    if (!succeeded) since ??= begunAt;
    else if (since !== null) {
      longest = Math.max(longest, endedAt - since);
      since = null;
    }
  }
  if (since !== null) throw new Error('Calls still failed at the end.');
  return longest;
}
