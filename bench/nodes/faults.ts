import type { BenchPart } from '../harness/bench-part.js';
import { deviceIdOf, withClient } from '../harness/database.js';
import type { Program } from '../harness/program.js';
import { whole } from '../harness/side.js';
import type { AgentCalls } from '../loads/agents.js';
import type { ReturningCalls } from '../loads/returning-agents.js';
import type { NotedCall, ViewerCalls } from '../loads/viewers.js';
import { agentsBack } from './agents-back.js';
import { numbers } from './compared.js';
import { HAPROXY, Haproxy } from './haproxy.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';
import { until } from '../harness/until.js';

/** Agents of the node that is killed. */
const KILLED_AGENTS = 3_000;
/** Agents behind HAProxy, of which each node has a third, when one freezes. */
const FROZEN_AGENTS = 1_500;
const CALLERS = 10;
const CALLS_PER_SECOND = 50;
const CALLING_SECONDS = 15;
/** A call that fails within this time fails at once. */
const AT_ONCE_MS = 250;

/** The node that is killed, and the one that freezes. */
const LOST = 2;
/** Devices at the node of a device. */
const AT_NODE_OF = `
  SELECT count(*)::int AS count FROM devices WHERE is_online AND node_id = (SELECT node_id FROM devices WHERE id = $1)`;

/** Goal N9: a node that is killed, and one that freezes, behind the shipped HAProxy. */
export const faults: BenchPart = {
  title: 'node killed, node frozen',
  needs: [NATS, HAPROXY],
  measure: () =>
    NodesScene.play({ devices: KILLED_AGENTS + FROZEN_AGENTS + CALLERS, isRough: true }, async (scene) => {
      const haproxy = await Haproxy.before(scene);
      try {
        const killed = await killNode(scene, haproxy);
        await scene.node(LOST).start();
        for (const node of scene.nodes) await until('the nodes reach each other', () => node.isReady());
        const frozen = await freezeNode(scene, haproxy);
        const common = { goal: 'N9', baseline: '', unit: 's', better: 'lower', notes: [] } as const;
        const row = (what: string, milliseconds: number, floor: number, aim: number, more = '') =>
          ({ ...common, what, measured: `${(milliseconds / 1000).toFixed(1)} s${more}`, value: milliseconds / 1000, floor, aim }) as const;
        return {
          findings: [
            row(`node killed with ${whole(KILLED_AGENTS)} agents: last one back`, killed, 30, 25),
            row(`node frozen with ${whole(frozen.atNode)} agents behind HAProxy: last one back`, frozen.back, 60, 35),
            row('calls to a frozen node: all fail at once from', frozen.calls.from, 6, 5.5, `, ${frozen.calls.count} calls`),
          ],
        };
      } finally {
        await haproxy.stop();
      }
    }),
};

type Returning = Program<ReturningCalls>;

/** Kills a node with its agents. Returns the milliseconds until the last one was back. */
async function killNode(scene: NodesScene, haproxy: Haproxy): Promise<number> {
  const load: Returning = scene.program('loads/returning-agents');
  const at = (url: string): { url: string; path: string; tenantId: string } => ({
    url,
    path: '/hubs/agent',
    tenantId: scene.fleet.tenantId,
  });
  const places = { first: at(scene.node(LOST).url), later: at(haproxy.url) };
  await load.call('connect', { ...places, devices: numbers(0, KILLED_AGENTS) });
  const killedAt = Date.now();
  await scene.node(LOST).kill();
  return (await lastBack(load, KILLED_AGENTS)) - killedAt;
}

/** Times since a node froze, in milliseconds. */
interface Frozen {
  readonly back: number;
  /** Number of the agents that had to come back. */
  readonly atNode: number;
  readonly calls: { readonly from: number; readonly count: number };
}

/** Freezes a node while others call its agents. */
async function freezeNode(scene: NodesScene, haproxy: Haproxy): Promise<Frozen> {
  const { tenantId, apiKey } = scene.fleet;
  const target = { url: haproxy.url, path: '/hubs/agent', tenantId };
  const load: Returning = scene.program('loads/returning-agents');
  await load.call('connect', { first: target, later: target, devices: numbers(KILLED_AGENTS, FROZEN_AGENTS) });
  const called = numbers(KILLED_AGENTS + FROZEN_AGENTS, CALLERS);
  const agents = scene.program<AgentCalls>('loads/agents');
  await agents.call('connect', { target: { ...target, url: scene.node(LOST).url }, devices: called });
  const viewers = scene.program<ViewerCalls>('loads/viewers');
  await viewers.call('connect', { url: scene.node(0).url, path: '/hubs/viewer', apiKey, devices: called });
  await viewers.call('askAgents', { seconds: 1, inFlight: 1 });

  const { rows } = await withClient(scene.database, (client) => client.query<{ count: number }>(AT_NODE_OF, [deviceIdOf(called[0])]));
  const atNode = (rows[0]?.count ?? 0) - CALLERS;
  const frozenAt = Date.now();
  scene.node(LOST).freeze();
  const noted = await viewers.call('noteCalls', { seconds: CALLING_SECONDS, rate: CALLS_PER_SECOND });
  const back = (await lastBack(load, atNode)) - frozenAt;
  await scene.node(LOST).kill();
  return { back, atNode, calls: { from: failingFrom(noted, frozenAt), count: noted.length } };
}

/** Waits until the agents of a lost node are back. Returns the time at which the last one was. */
async function lastBack(load: Returning, count: number): Promise<number> {
  const lastBackAt = await agentsBack(load, count);
  await load.call('disconnect', undefined);
  return lastBackAt;
}

/** Milliseconds after which every call that is begun fails at once. */
function failingFrom(calls: readonly NotedCall[], frozenAt: number): number {
  const slow = calls.filter(({ begunAt, endedAt }) => endedAt - begunAt > AT_ONCE_MS);
  const from = Math.max(0, ...slow.map(({ endedAt }) => endedAt - frozenAt));
  if (calls.some(({ begunAt, succeeded }) => succeeded && begunAt > frozenAt + AT_ONCE_MS))
    throw new Error('A call to a frozen node succeeded.');
  return from;
}
