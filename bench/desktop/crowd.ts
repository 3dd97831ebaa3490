import type { RelayBaselineCalls } from '../baselines/relay.js';
import type { Finding } from '../harness/finding.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import type { DesktopLatencies, DesktopSessionsCalls } from '../loads/desktop-sessions.js';
import type { DesktopBench } from './desktop-bench.js';

const SESSIONS = 20;
const ROUNDS = 5;
const WARM_UP_SECONDS = 2;
const SECONDS = 8;
const BUSY = 0.9;

/** R8: latency that the service adds with 20 sessions at once. */
export const crowd: DesktopBench = {
  title: 'twenty sessions (R8)',
  needs: [],
  measure: () =>
    Scene.play(SESSIONS, async (scene) => {
      const { url } = scene.service;
      const { tenantId, apiKey } = scene.fleet;
      const plainRelay = await scene.program<RelayBaselineCalls>('baselines/relay').call('start', undefined);
      const [direct, plain, service] = await Promise.all(
        [null, plainRelay, { url, tenantId, apiKey }].map(async (through) => {
          const load = scene.program<DesktopSessionsCalls>('loads/desktop-sessions');
          await load.call('connect', { through, sessions: SESSIONS });
          await load.call('run', WARM_UP_SECONDS);
          return (): Promise<DesktopLatencies> => load.call('run', SECONDS);
        }),
      );
      const rounds = await inTurns(ROUNDS, { direct, plain, service });
      return { findings: [findingOf('moves of pointers', 'moves', rounds), findingOf('pictures of 64 kB', 'pictures', rounds)] };
    }),
};

type Rounds = Readonly<Record<'direct' | 'plain' | 'service', readonly DesktopLatencies[]>>;

function findingOf(what: string, key: 'moves' | 'pictures', { direct, plain, service }: Rounds): Finding {
  const at = (rounds: readonly DesktopLatencies[], index: 0 | 1): number => median(rounds.map((round) => round[key][index]));
  const text = (rounds: readonly DesktopLatencies[]): string => `${at(rounds, 1).toFixed(1)} ms (median ${at(rounds, 0).toFixed(1)} ms)`;
  const rate = median(service.map(({ megabytesPerSecond }) => megabytesPerSecond));
  return {
    goal: 'R8',
    what: `${SESSIONS} sessions at once, ${rate.toFixed(0)} MB/s in all: p99 of ${what}, beyond a socket between the two`,
    baseline: `${text(direct)}; through a plain relay ${text(plain)}`,
    measured: text(service),
    value: at(service, 1) - at(direct, 1),
    unit: 'ms',
    better: 'lower',
    floor: 20,
    aim: 8,
    notes: median(service.map(({ cpuShare }) => cpuShare)) > BUSY ? ['the load was the bottleneck of the service'] : [],
  };
}
