import { growFleet } from '../harness/database.js';
import type { Finding, Goal } from '../harness/finding.js';
import { median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { settledBytes } from '../harness/settled.js';
import { countedRound, whole } from '../harness/side.js';
import type { AgentCalls } from '../loads/agents.js';
import type { ListCalls } from '../loads/listing.js';
import type { PermissionCheckCalls } from '../loads/permission-checks.js';

const SIZES = [1_000, 10_000, 100_000] as const;
/** Most cost of an operation with ten times as many devices, as a multiple of that before. */
const ALLOWED = 1.3;
const ROUNDS = 3;

const AGENTS = 500;
const BEATS = 10;
const CHECKS = { asked: 500, checks: 50_000 };
/** Whole lists are read until this many devices have come, so that short and long lists are measured alike. */
const LISTED = 50_000;

const IDLE_WARM_UP = 500;
/** Numbers of idle agents that, with the warm-up agents, stay below the limit of negotiations within a few seconds. */
const IDLE_AGENTS = [900, 9_000] as const;
const KIB = 1024;

/** The cost of one operation for one fleet size, in microseconds. */
interface Costs {
  readonly beatCpu: number;
  readonly listed: number;
  readonly check: number;
}

interface Loads {
  readonly beats: () => Promise<number>;
  readonly list: (devices: number) => Promise<number>;
  readonly check: (devices: number) => Promise<number>;
}

/** Heartbeats, idle agents, lists and permission checks while the fleet grows: the cost of each must not grow with it. */
export const growth: Goal = {
  number: 18,
  title: `growth from ${whole(SIZES[0])} to ${whole(SIZES[SIZES.length - 1])} devices`,
  measure: async () => [
    ...(await Scene.play(SIZES[0], async (scene) => {
      const loads = await startLoads(scene);
      const costs: Costs[] = [];
      for (const [at, devices] of SIZES.entries()) {
        if (at > 0) await growFleet(scene.service.database, scene.fleet, SIZES[at - 1], devices);
        costs.push(await costsOf(loads, devices));
      }
      return [
        grown('signed heartbeat, stored: processor time of the service', costs, ({ beatCpu }) => beatCpu),
        grown('a device of a whole list', costs, ({ listed }) => listed),
        grown('permission check, p50', costs, ({ check }) => check),
      ];
    })),
    // Measured in a scene of its own. Otherwise agents would reuse memory that lists have freed.
    await Scene.play(IDLE_WARM_UP + IDLE_AGENTS[1], idleAgentGrowth),
  ],
};

async function startLoads(scene: Scene): Promise<Loads> {
  const { service, fleet } = scene;
  const agents = scene.program<AgentCalls>('loads/agents');
  const listing = scene.program<ListCalls>('loads/listing');
  const checks = scene.program<PermissionCheckCalls>('loads/permission-checks');
  await checks.call('start', { database: service.database, fleet });
  const devices = Array.from({ length: AGENTS }, (_, index) => index);
  await agents.call('connect', { target: { url: service.url, path: '/hubs/agent', tenantId: fleet.tenantId }, devices });

  return {
    beats: async () => {
      await agents.call('prepare', BEATS);
      const { serverMicroseconds } = await countedRound(
        () => service.cpuSeconds(),
        () => agents.call('beatAtOnce', undefined),
      );
      return serverMicroseconds;
    },
    list: async (count) => {
      let seconds = 0;
      for (let listed = 0; listed < LISTED; listed += count) {
        const result = await listing.call('read', { url: `${service.url}/api/v1/devices`, headers: { 'x-api-key': fleet.apiKey } });
        if (result.items !== count) throw new Error(`${result.items} of ${count} devices arrived.`);
        seconds += result.seconds;
      }
      return (seconds * 1e6) / (Math.ceil(LISTED / count) * count);
    },
    check: async (count) => (await checks.call('check', { ...CHECKS, devices: count })).p50,
  };
}

/** The median of some rounds. The first round only warms up after the change of size. */
async function costsOf({ beats, list, check }: Loads, devices: number): Promise<Costs> {
  await beats();
  await list(devices);
  const rounds: Costs[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ beatCpu: await beats(), listed: await list(devices), check: await check(devices) });
  }
  return {
    beatCpu: median(rounds.map(({ beatCpu }) => beatCpu)),
    listed: median(rounds.map(({ listed }) => listed)),
    check: median(rounds.map((times) => times.check)),
  };
}

/** The cost of an idle agent, among few and among ten times as many. */
async function idleAgentGrowth(scene: Scene): Promise<Finding> {
  const { service, fleet } = scene;
  const target = { url: service.url, path: '/hubs/agent', tenantId: fleet.tenantId };
  const load = scene.program<AgentCalls>('loads/agents');
  const connect = async (from: number, to: number): Promise<void> => {
    const devices = Array.from({ length: to - from }, (_, index) => from + index);
    const { failed } = await load.call('connect', { target, devices });
    if (failed > 0) throw new Error(`${failed} agents were refused.`);
  };
  const resident = (): Promise<number> => settledBytes(service.pid, () => service.collectGarbage());
  const [few, many] = IDLE_AGENTS;
  await connect(0, IDLE_WARM_UP);
  const before = await resident();
  await connect(IDLE_WARM_UP, IDLE_WARM_UP + few);
  const ofFew = ((await resident()) - before) / few / KIB;
  await connect(IDLE_WARM_UP + few, IDLE_WARM_UP + many);
  const ofMany = ((await resident()) - before) / many / KIB;
  return {
    ...COMMON,
    what: `growth: resident memory of an idle agent, ${whole(few)} to ${whole(many)} agents`,
    baseline: `${ofFew.toFixed(1)} KiB`,
    measured: `${ofMany.toFixed(1)} KiB`,
    value: ofMany / ofFew,
  };
}

const COMMON = { goal: 18, unit: '', better: 'lower', floor: ALLOWED, aim: 1.1, notes: [] } as const;

/** The largest increase from one size to the next. */
function grown(what: string, costs: readonly Costs[], cost: (costs: Costs) => number): Finding {
  const [first, ...later] = costs.map(cost);
  const rises = later.map((value, at) => value / (at === 0 ? first : later[at - 1]));
  return {
    ...COMMON,
    what: `growth: ${what}, ${SIZES.map(whole).join(', ')} devices`,
    baseline: `${first.toFixed(2)} µs`,
    measured: later.map((value) => `${value.toFixed(2)} µs`).join(', '),
    value: Math.max(...rises),
  };
}
