import { setTimeout as delay } from 'node:timers/promises';

import type { BenchPart } from '../harness/bench-part.js';
import { deviceIdOf } from '../harness/database.js';
import type { Finding } from '../harness/finding.js';
import type { Program } from '../harness/program.js';
import { inTurns, median } from '../harness/rounds.js';
import { forgetPeak, peakResidentBytes, residentBytes } from '../harness/usage.js';
import type { StreamCalls, StreamResult } from '../loads/streams.js';
import { compared } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';

const WARM_UP_BYTES = 33_554_432;
const BYTES = 134_217_728;
const GIBIBYTE = 1_073_741_824;
const ROUNDS = 5;
const BUSY = 0.9;
const SETTLE_MS = 500;
const MB = 1e6;
const MIB = 1_048_576;

type Load = Program<StreamCalls>;

interface Round extends StreamResult {
  /** Milliseconds for a megabyte. */
  readonly cost: number;
}

/** Goal N5: files between a viewer or an HTTP client at one node and an agent at another, compared with both at one node. */
export const files: BenchPart = {
  title: 'file to and from an agent at another node',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: 2 }, async (scene) => {
      const near = await connected(scene, 0, 0);
      const far = await connected(scene, 1, 1);
      const up = await inTurns(ROUNDS, { near: near.upload, far: far.upload });
      const down = await inTurns(ROUNDS, { near: near.download, far: far.download });
      return {
        findings: [
          ...findingsOf('file from a viewer to an agent at another node', up),
          ...findingsOf('file from an agent at another node to an HTTP client', down),
          await growth(scene, far),
        ],
      };
    }),
};

interface Side {
  readonly upload: (bytes?: number) => Promise<Round>;
  readonly download: (bytes?: number) => Promise<Round>;
}

/** An agent at node 0 and a viewer at another node or the same, after a warm-up. */
async function connected(scene: NodesScene, device: number, viewerNode: number): Promise<Side> {
  const { tenantId, apiKey } = scene.fleet;
  const load: Load = scene.program('loads/streams');
  await load.call('connect', { url: scene.node(0).url, viewerUrl: scene.node(viewerNode).url, tenantId, apiKey, device });
  const path = `/api/v1/device-file-system/download/${deviceIdOf(device)}?tenantId=${tenantId}&filePath=%2Ffile`;
  const counted = async (run: () => Promise<StreamResult>): Promise<Round> => {
    const before = await scene.cpuSeconds();
    const result = await run();
    return { ...result, cost: (((await scene.cpuSeconds()) - before) * 1000) / (result.bytes / MB) };
  };
  const side = {
    upload: (bytes = BYTES) => counted(() => load.call('upload', bytes)),
    download: (bytes = BYTES) => counted(() => load.call('download', { bytes, path })),
  };
  await side.upload(WARM_UP_BYTES);
  await side.download(WARM_UP_BYTES);
  return side;
}

function findingsOf(what: string, { near, far }: { readonly near: readonly Round[]; readonly far: readonly Round[] }): Finding[] {
  const rate = (rounds: readonly Round[]): number => median(rounds.map(({ bytes, seconds }) => bytes / MB / seconds));
  const cost = (rounds: readonly Round[]): number => median(rounds.map((round) => round.cost));
  const isBusy = (rounds: readonly Round[]): boolean => median(rounds.map(({ cpuSeconds, seconds }) => cpuSeconds / seconds)) > BUSY;
  const notes = [
    ...(isBusy(near) ? ['the load was the bottleneck of the baseline'] : []),
    ...(isBusy(far) ? ['the load was the bottleneck of the service'] : []),
  ];
  return [
    compared({
      goal: 'N5',
      what: `${what}: rate`,
      better: 'higher',
      floor: 0.4,
      aim: 0.7,
      notes,
      base: rate(near),
      measured: rate(far),
      text: (value) => `${value.toFixed(0)} MB/s`,
    }),
    {
      goal: 'N5',
      what: `${what}: processor time added`,
      better: 'lower',
      floor: 4,
      aim: 3,
      unit: 'ms/MB',
      notes,
      baseline: `${cost(near).toFixed(2)} ms/MB`,
      measured: `${cost(far).toFixed(2)} ms/MB`,
      value: cost(far) - cost(near),
    },
  ];
}

/** Growth of the memory of the two nodes while a gibibyte goes to the agent and another one comes back. */
async function growth(scene: NodesScene, { upload, download }: Side): Promise<Finding> {
  const nodes = [scene.node(0), scene.node(1)];
  for (const node of nodes) node.collectGarbage();
  await delay(SETTLE_MS);
  const before = await Promise.all(nodes.map(({ pid }) => residentBytes(pid)));
  await Promise.all(nodes.map(({ pid }) => forgetPeak(pid)));
  await upload(GIBIBYTE);
  await download(GIBIBYTE);
  const peaks = await Promise.all(nodes.map(({ pid }) => peakResidentBytes(pid)));
  const [home, other] = peaks.map((peak, index) => (peak - before[index]) / MIB);
  return {
    goal: 'N5',
    what: '1 GiB to an agent at another node and back: memory of each node',
    better: 'lower',
    floor: 64,
    aim: 32,
    unit: 'MiB',
    baseline: '',
    measured: `node of the agent +${home.toFixed(0)} MiB, of the viewer +${other.toFixed(0)} MiB`,
    value: Math.max(home, other),
    notes: [],
  };
}
