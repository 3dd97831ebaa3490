import { setTimeout as delay } from 'node:timers/promises';

import { createReader, type CallerHeaders } from '../harness/callers.js';
import { createAdministrator, createTenantWithDevices, deviceIdOf } from '../harness/database.js';
import type { Finding, Goal } from '../harness/finding.js';
import { furnishFleet } from '../harness/furnish.js';
import type { LoadResult } from '../harness/load.js';
import type { Program } from '../harness/program.js';
import { median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { whole } from '../harness/side.js';
import { forgetPeak, peakResidentBytes, residentBytes } from '../harness/usage.js';
import type { AgentCalls } from '../loads/agents.js';

/** Devices of other tenants that report all the time. */
const AGENTS = 500;
/** A variable names a smaller number for a quick look. */
const DEVICES = Number(process.env.BENCH_DEVICES ?? 100_000);
/** The number of the first device of deleted tenants. */
const FIRST = 1_000_000;
/** Devices of each deleted tenant whose agents are connected. */
const LEAVING = 10;
const BEATS_PER_SECOND = 500;
/** Reports of each device that are sent in one go, because a signed report is only valid for a minute. */
const BEATS = 8;
const QUIET_GOES = 3;
const ROUNDS = 3;
const POLL_MS = 500;
const MIB = 1024 * 1024;

/** Reports of other tenants during some time, and the growth of the service's memory to its peak. */
interface Stretch {
  readonly goes: readonly LoadResult[];
  readonly growth: number;
}

/** The figures of one deletion. */
interface Deletion {
  readonly quiet: Stretch;
  readonly beside: Stretch;
  /** Times from the request on. */
  readonly secondsToAnswer: number;
  readonly secondsToEnd: number;
}

/** A tenant that will be deleted, with callers who can see by themselves that it exists. */
interface Leaver {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly user: CallerHeaders;
  readonly agents: Program<AgentCalls>;
}

/** Goal 22: a tenant is gone when its deletion has been answered, which is soon, and others do not notice the removal of its rows. */
export const tenantDeletion: Goal = {
  number: 22,
  title: `deletion of a tenant with ${whole(DEVICES)} devices`,
  measure: () => Scene.play(AGENTS, (scene) => measureIn(scene)),
};

async function measureIn(scene: Scene): Promise<Finding[]> {
  const { service, fleet } = scene;
  const administrator = { 'x-api-key': await createAdministrator(service.database) };
  const agents = scene.program<AgentCalls>('loads/agents');
  const target = { url: service.url, path: '/hubs/agent', tenantId: fleet.tenantId };
  await agents.call('connect', { target, devices: Array.from({ length: AGENTS }, (_, index) => index) });

  const beat = async (): Promise<LoadResult> => {
    await agents.call('prepare', BEATS);
    const result = await agents.call('beatSteadily', BEATS_PER_SECOND);
    if (result.failed > 0) throw new Error(`${result.failed} reports of another tenant were refused.`);
    return result;
  };
  /** Reports are measured until there were enough, and `isOver` says so. */
  const stretch = async (isOver: (goes: number) => boolean): Promise<Stretch> => {
    const before = await residentBytes(service.pid);
    await forgetPeak(service.pid);
    const goes: LoadResult[] = [];
    do goes.push(await beat());
    while (!isOver(goes.length));
    return { goes, growth: ((await peakResidentBytes(service.pid)) - before) / MIB };
  };
  const deleteOnce = async (round: number): Promise<Deletion> => {
    const leaver = await prepareLeaver(scene, FIRST + round * DEVICES);
    // The tenant was made by statements that PostgreSQL is still busy with.
    await beat();
    const quiet = await stretch((goes) => goes >= QUIET_GOES);
    let isDone = false;
    const deleting = deleteTenant(service.url, administrator, leaver).finally(() => (isDone = true));
    const [beside, times] = await Promise.all([stretch(() => isDone), deleting]);
    await leaver.agents.stop();
    return { quiet, beside, ...times };
  };

  const deletions: Deletion[] = [];
  for (let round = 0; round < ROUNDS; round += 1) deletions.push(await deleteOnce(round));
  return findingsOf(deletions);
}

/** Creates a tenant with devices, tags, groups, customers, a user and connected agents. */
async function prepareLeaver(scene: Scene, first: number): Promise<Leaver> {
  const { service } = scene;
  const tenantId = await createTenantWithDevices(service.database, first, DEVICES);
  await furnishFleet(service.database, { tenantId });
  const user = await createReader(service.database, tenantId, [{ kind: 'Tenant', id: tenantId }]);
  const deviceId = deviceIdOf(first);
  await requireStatus(200, `${service.url}/api/v1/devices/${deviceId}`, user);
  const agents = scene.program<AgentCalls>('loads/agents');
  const devices = Array.from({ length: LEAVING }, (_, index) => first + index);
  const connected = await agents.call('connect', { target: { url: service.url, path: '/hubs/agent', tenantId }, devices });
  if (connected.failed > 0) throw new Error(`${connected.failed} agents of the tenant were refused before its deletion.`);
  await agents.call('prepare', 1);
  return { tenantId, deviceId, user, agents };
}

/** Deletes a tenant, checks that nobody finds it after the answer, and waits until its rows are removed. */
async function deleteTenant(
  url: string,
  administrator: CallerHeaders,
  { tenantId, deviceId, user, agents }: Leaver,
): Promise<Pick<Deletion, 'secondsToAnswer' | 'secondsToEnd'>> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1_000;
  await requireStatus(204, `${url}/api/v1/tenants/${tenantId}`, administrator, 'DELETE');
  const secondsToAnswer = seconds();
  await requireStatus(404, `${url}/api/v1/tenants/${tenantId}`, administrator);
  await requireStatus(404, `${url}/api/v1/tags?tenantId=${tenantId}`, administrator);
  await requireStatus(401, `${url}/api/v1/devices/${deviceId}`, user);
  const { completed } = await agents.call('beatAtOnce', undefined);
  if (completed > 0) throw new Error(`${completed} reports of the deleted tenant were accepted.`);
  while (await isBeingRemoved(url, administrator, tenantId)) await delay(POLL_MS);
  return { secondsToAnswer, secondsToEnd: seconds() };
}

async function isBeingRemoved(url: string, headers: CallerHeaders, tenantId: string): Promise<boolean> {
  const { items } = JSON.parse(await requireStatus(200, `${url}/api/v1/tenants/removals`, headers)) as {
    readonly items: readonly { readonly tenantId: string }[];
  };
  return items.some((item) => item.tenantId === tenantId);
}

async function requireStatus(status: number, url: string, headers: CallerHeaders, method = 'GET'): Promise<string> {
  const answer = await fetch(url, { method, headers });
  const text = await answer.text();
  if (answer.status === status) return text;
  throw new Error(`${method} ${url} was answered with ${answer.status} and not ${status}: ${text}`);
}

function findingsOf(deletions: readonly Deletion[]): Finding[] {
  const of = (read: (deletion: Deletion) => number): number => median(deletions.map((deletion) => read(deletion)));
  const p99 = ({ goes }: Stretch): number => median(goes.map((go) => go.p99));
  const [toAnswer, toEnd] = [of(({ secondsToAnswer }) => secondsToAnswer), of(({ secondsToEnd }) => secondsToEnd)];
  const [quiet, beside] = [of((deletion) => p99(deletion.quiet)), of((deletion) => p99(deletion.beside))];
  const [quietGrowth, besideGrowth] = [of((deletion) => deletion.quiet.growth), of((deletion) => deletion.beside.growth)];
  const worst = Math.max(...deletions.flatMap((deletion) => deletion.beside.goes.map((go) => go.p99)));
  const what = `deletion of a tenant with ${whole(DEVICES)} devices`;
  const common = { goal: 22, better: 'lower', notes: [] } as const;
  return [
    {
      ...common,
      what: `${what}: time to the 204, after which nobody finds it`,
      baseline: '',
      measured: `${toAnswer.toFixed(2)} s`,
      value: toAnswer,
      unit: 's',
      floor: 3,
      aim: 2,
    },
    {
      ...common,
      what: `${what}: time until all its rows are removed`,
      baseline: '',
      measured: `${toEnd.toFixed(1)} s`,
      value: toEnd,
      unit: 's',
      floor: 120,
      aim: 60,
    },
    {
      ...common,
      what: `${what}: p99 of reports of other tenants at ${BEATS_PER_SECOND}/s until then`,
      baseline: `${quiet.toFixed(1)} ms before it`,
      measured: `${beside.toFixed(1)} ms, at most ${worst.toFixed(1)} ms within ${BEATS} s`,
      value: beside / quiet,
      unit: '',
      floor: 3,
      aim: 2,
    },
    {
      ...common,
      what: `${what}: growth of resident memory until then`,
      baseline: `${quietGrowth.toFixed(1)} MiB before it`,
      measured: `${besideGrowth.toFixed(1)} MiB`,
      value: besideGrowth - quietGrowth,
      unit: 'MiB',
      floor: 32,
      aim: 16,
    },
  ];
}
