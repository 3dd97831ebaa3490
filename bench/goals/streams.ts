import type { StreamBaselineCalls } from '../baselines/stream.js';
import { deviceIdOf } from '../harness/database.js';
import type { Finding, Goal } from '../harness/finding.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import type { StreamCalls, StreamResult } from '../loads/streams.js';

const DEVICES = 10;
const DEVICE = 1;
const WARM_UP_BYTES = 33_554_432;
const BYTES = 134_217_728;
const ROUNDS = 3;
const BUSY = 0.9;
const MB = 1e6;

/** Goal 15: a file from a viewer to an agent, and from an agent to an HTTP client, compared with a plain forwarder of hub streams. */
export const streams: Goal = {
  number: 15,
  title: 'upload and download stream through the hub',
  measure: () =>
    Scene.play(DEVICES, async (scene) => {
      const { service, fleet } = scene;
      const baseline = scene.program<StreamBaselineCalls>('baselines/stream');
      const target = { tenantId: fleet.tenantId, apiKey: fleet.apiKey, device: DEVICE };
      const bare = scene.program<StreamCalls>('loads/streams');
      await bare.call('connect', { ...target, url: await baseline.call('start', undefined) });
      const measured = scene.program<StreamCalls>('loads/streams');
      await measured.call('connect', { ...target, url: service.url });

      for (const side of [bare, measured]) await side.call('upload', WARM_UP_BYTES);
      const uploads = await inTurns(ROUNDS, { bare: () => bare.call('upload', BYTES), measured: () => measured.call('upload', BYTES) });
      const path = `/api/v1/device-file-system/download/${deviceIdOf(DEVICE)}?tenantId=${fleet.tenantId}&filePath=%2Ffile`;
      const download = (side: typeof bare, bytes: number): Promise<StreamResult> => side.call('download', { bytes, path });
      for (const side of [bare, measured]) await download(side, WARM_UP_BYTES);
      const downloads = await inTurns(ROUNDS, { bare: () => download(bare, BYTES), measured: () => download(measured, BYTES) });
      return [finding('upload, viewer to agent', uploads), finding('download, agent to HTTP client', downloads)];
    }),
};

function finding(what: string, rounds: { readonly bare: readonly StreamResult[]; readonly measured: readonly StreamResult[] }): Finding {
  const rate = (results: readonly StreamResult[]): number => median(results.map(({ bytes, seconds }) => bytes / MB / seconds));
  const isBusy = (results: readonly StreamResult[]): boolean =>
    median(results.map(({ cpuSeconds, seconds }) => cpuSeconds / seconds)) > BUSY;
  return {
    goal: 15,
    what: `${what}: rate`,
    baseline: `${rate(rounds.bare).toFixed(0)} MB/s`,
    measured: `${rate(rounds.measured).toFixed(0)} MB/s`,
    value: rate(rounds.measured) / rate(rounds.bare),
    unit: '',
    better: 'higher',
    floor: 0.25,
    aim: 0.5,
    notes: [
      ...(isBusy(rounds.bare) ? ['the load was the bottleneck of the baseline'] : []),
      ...(isBusy(rounds.measured) ? ['the load was the bottleneck of the service'] : []),
    ],
  };
}
