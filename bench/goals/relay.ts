import type { RelayBaselineCalls } from '../baselines/relay.js';
import type { Finding, Goal } from '../harness/finding.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { cpuSeconds, residentBytes } from '../harness/usage.js';
import type { RelayCalls, RelayResult } from '../loads/relay.js';

const PAIRS = [1, 10, 50];
const STALLED_PAIRS = 50;
/** Frames of 64 KiB that each sender of a stalled pair has: far more than the system buffers. */
const STALLED_FRAMES = 512;
const WARM_UP_BYTES = 67_108_864;
const BYTES = 536_870_912;
const ROUNDS = 5;
const BUSY = 0.9;
const MB = 1e6;
const MIB = 1_048_576;
/** Makes `ws` and the relay remove masks in JavaScript, as on machines for which there is no prebuilt native code. */
const WITHOUT_NATIVE = { WS_NO_BUFFER_UTIL: '1' };

interface Round extends RelayResult {
  readonly serverCpuSeconds: number;
}

/** Goals 5 and 6: sessions through the relay, compared with a plain pipe between two sockets of the library `ws`. */
export const relay: Goal = {
  number: 5,
  title: 'relay: rate, processor time, memory of a stalled receiver',
  measure: async () => [
    ...(await Scene.play(1, async (scene) => {
      const findings: Finding[] = [];
      for (const pairs of PAIRS) findings.push(...(await compare(scene, pairs, '')));
      findings.push(await stalled(scene));
      return findings;
    })),
    ...(await Scene.play(1, (scene) => compare(scene, 10, ', without native code'), WITHOUT_NATIVE)),
  ],
};

async function compare(scene: Scene, pairs: number, how: string): Promise<Finding[]> {
  const { service, fleet } = scene;
  const baseline = scene.program<RelayBaselineCalls>('baselines/relay');
  const bareUrl = await baseline.call('start', undefined);
  const [bare, measured] = [scene.program<RelayCalls>('loads/relay'), scene.program<RelayCalls>('loads/relay')];
  await bare.call('connect', { url: bareUrl, apiKey: fleet.apiKey, pairs });
  await measured.call('connect', { url: service.url, apiKey: fleet.apiKey, pairs });
  const round = async (load: typeof bare, pid: number, bytes: number): Promise<Round> => {
    const before = await cpuSeconds(pid);
    const result = await load.call('send', bytes);
    return { ...result, serverCpuSeconds: (await cpuSeconds(pid)) - before };
  };
  for (const [load, pid] of [
    [bare, baseline.pid],
    [measured, service.pid],
  ] as const) {
    await round(load, pid, WARM_UP_BYTES);
  }
  const rounds = await inTurns(ROUNDS, {
    bare: () => round(bare, baseline.pid, BYTES),
    measured: () => round(measured, service.pid, BYTES),
  });
  await Promise.all([bare, measured].map((load) => load.stop()));
  await baseline.stop();
  return findingsOf(`relay, ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}, 64 KiB${how}`, rounds);
}

function findingsOf(what: string, { bare, measured }: { readonly bare: readonly Round[]; readonly measured: readonly Round[] }): Finding[] {
  const rate = (rounds: readonly Round[]): number => median(rounds.map(({ bytes, seconds }) => bytes / MB / seconds));
  const cost = (rounds: readonly Round[]): number =>
    median(rounds.map(({ bytes, serverCpuSeconds }) => (serverCpuSeconds * 1000) / (bytes / MB)));
  const isBusy = (rounds: readonly Round[]): boolean => median(rounds.map(({ cpuSeconds: cpu, seconds }) => cpu / seconds)) > BUSY;
  const notes = [
    ...(isBusy(bare) ? ['the load was the bottleneck of the baseline'] : []),
    ...(isBusy(measured) ? ['the load was the bottleneck of the service'] : []),
  ];
  return [
    {
      goal: 5,
      what: `${what}: rate`,
      baseline: `${rate(bare).toFixed(0)} MB/s`,
      measured: `${rate(measured).toFixed(0)} MB/s`,
      value: rate(measured) / rate(bare),
      unit: '',
      better: 'higher',
      floor: 0.9,
      aim: 2,
      notes,
    },
    {
      goal: 5,
      what: `${what}: processor time`,
      baseline: `${cost(bare).toFixed(2)} ms/MB`,
      measured: `${cost(measured).toFixed(2)} ms/MB`,
      value: cost(measured) / cost(bare),
      unit: '',
      better: 'lower',
      floor: 1.1,
      aim: 0.5,
      notes,
    },
  ];
}

/** Goal 6: memory of a pair whose receiver does not read. Afterwards everything arrives. */
async function stalled(scene: Scene): Promise<Finding> {
  const { service, fleet } = scene;
  const load = scene.program<RelayCalls>('loads/relay');
  await load.call('connect', { url: service.url, apiKey: fleet.apiKey, pairs: STALLED_PAIRS });
  await load.call('send', WARM_UP_BYTES);
  const before = await residentBytes(service.pid);
  await load.call('stall', STALLED_FRAMES);
  const growth = ((await residentBytes(service.pid)) - before) / STALLED_PAIRS / MIB;
  await load.call('goOn', STALLED_FRAMES);
  await load.stop();
  return {
    goal: 6,
    what: `relay, ${STALLED_PAIRS} pairs with a stalled receiver: growth of resident memory a pair, nothing lost`,
    baseline: '',
    measured: `${growth.toFixed(2)} MiB`,
    value: growth,
    unit: 'MiB',
    better: 'lower',
    floor: 8,
    aim: 2,
    notes: [],
  };
}
