import { setTimeout as delay } from 'node:timers/promises';

import type { BenchPart } from '../harness/bench-part.js';
import { createAdministrator, deviceIdOf, withClient } from '../harness/database.js';
import type { Finding } from '../harness/finding.js';
import { percentile } from '../harness/rounds.js';
import { whole } from '../harness/side.js';
import type { ReturningCalls } from '../loads/returning-agents.js';
import type { Failure, SteadyCalls, SteadyResult } from '../loads/steady-requests.js';
import { agentsBack } from './agents-back.js';
import { numbers } from './compared.js';
import { HAPROXY, Haproxy } from './haproxy.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';
import { until } from '../harness/until.js';

const AGENTS = 300;
const REQUESTS_PER_SECOND = 200;
/** Time in which HAProxy finds that a node serves again, in milliseconds. */
const FOUND_MS = 6_000;

const STORED = 'SELECT name FROM tags WHERE tenant_id = $1';

/** Goal N10: one node after the other is stopped and started, under requests and with agents, behind the shipped HAProxy. */
export const rolling: BenchPart = {
  title: 'rolling restart of nodes',
  needs: [NATS, HAPROXY],
  measure: () =>
    NodesScene.play({ devices: AGENTS, isRough: true, rebalances: true }, async (scene) => {
      const haproxy = await Haproxy.before(scene);
      try {
        return { findings: await restartAll(scene, haproxy) };
      } finally {
        await haproxy.stop();
      }
    }),
};

async function restartAll(scene: NodesScene, haproxy: Haproxy): Promise<Finding[]> {
  const { tenantId } = scene.fleet;
  const target = { url: haproxy.url, path: '/hubs/agent', tenantId };
  const agents = scene.program<ReturningCalls>('loads/returning-agents');
  await agents.call('connect', { first: target, later: target, devices: numbers(0, AGENTS) });
  const requests = scene.program<SteadyCalls>('loads/steady-requests');
  await requests.call('start', {
    url: haproxy.url,
    path: `/api/v1/devices/${deviceIdOf(0)}`,
    writePath: `/api/v1/tags?tenantId=${tenantId}`,
    headers: { 'x-api-key': await createAdministrator(scene.database) },
    perSecond: REQUESTS_PER_SECOND,
  });
  const begunAt = Date.now();
  const since = (): string => `${((Date.now() - begunAt) / 1000).toFixed(1)} s`;
  for (const [number, node] of scene.nodes.entries()) {
    const stoppingAt = since();
    await node.stop();
    const endedAt = since();
    await node.start();
    console.log(`Node ${number} was told to stop at ${stoppingAt}, ended at ${endedAt}, listened at ${since()}.`);
    await until('the node is ready', () => node.isReady());
    await delay(FOUND_MS);
    await agentsBack(agents, 0);
  }
  const result = await requests.call('stop', undefined);
  const absences = await agents.call('absences', undefined);
  const lost = await lostOf(scene, result);
  for (const line of summaryOf(result.failures, begunAt)) console.log(line);
  const seconds = absences.map(({ lostAt, backAt }) => (backAt - lostAt) / 1000).sort((a, b) => a - b);
  const share = (result.failures.length / result.sent) * 100;
  const common = { goal: 'N10', baseline: '', better: 'lower', notes: [] } as const;
  return [
    {
      ...common,
      what: 'rolling restart of 3 nodes: requests that failed',
      unit: '%',
      floor: 0.01,
      aim: 0,
      measured: `${result.failures.length} of ${whole(result.sent)}`,
      value: share,
    },
    {
      ...common,
      what: 'rolling restart of 3 nodes: acknowledged writes that are lost',
      unit: '%',
      floor: 0,
      aim: 0,
      measured: `${lost} of ${whole(result.acknowledged.length)}`,
      value: (lost / result.acknowledged.length) * 100,
    },
    {
      ...common,
      what: 'rolling restart of 3 nodes: absence of a device, p99',
      unit: 's',
      floor: 30,
      aim: 25,
      measured: `${percentile(seconds, 0.99).toFixed(1)} s, ${seconds.length} absences`,
      value: percentile(seconds, 0.99),
    },
  ];
}

/** The number of acknowledged writes that the database does not have. */
async function lostOf({ database, fleet }: NodesScene, { acknowledged }: SteadyResult): Promise<number> {
  const { rows } = await withClient(database, (client) => client.query<{ readonly name: string }>(STORED, [fleet.tenantId]));
  const stored = new Set(rows.map(({ name }) => name));
  return acknowledged.filter((name) => !stored.has(name)).length;
}

/** One line for each reason of failures, with the times of the first and the last one. */
function summaryOf(failures: readonly Failure[], begunAt: number): string[] {
  const seconds = ({ at }: Failure): string => `${((at - begunAt) / 1000).toFixed(1)} s`;
  return [...new Set(failures.map(({ reason }) => reason))].map((reason) => {
    const all = failures.filter((failure) => failure.reason === reason);
    return `${reason}: ${all.length} times, from ${seconds(all[0])} to ${seconds(all[all.length - 1])}.`;
  });
}
