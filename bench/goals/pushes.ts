import type { HubBaselineCalls } from '../baselines/hub.js';
import type { Goal } from '../harness/finding.js';
import { inTurns } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { countedRound, loadNotes, Side, type Round } from '../harness/side.js';
import { cpuSeconds } from '../harness/usage.js';
import type { PushCalls } from '../loads/pushes.js';

/** Each has devices of its own, because a device keeps the key of the load that it reported for first. */
const SIDES = 3;
/** The devices of one side. A viewer subscribes to as many in one call. */
const DEVICES = 100;
const VIEWERS = 10;
const REPORTS_PER_SECOND = 500;
const WARM_UP_REPORTS = 10;
const REPORTS = 20;
const ROUNDS = 5;

/** Goal 3: time of a report to the viewers of its device, compared with a plain fan-out, and the cost of one more viewer. */
export const pushes: Goal = {
  number: 3,
  title: 'heartbeats pushed to viewers',
  measure: () =>
    Scene.play(SIDES * DEVICES, async (scene) => {
      const { service, fleet } = scene;
      const baseline = scene.program<HubBaselineCalls>('baselines/hub');
      const baselineUrl = await baseline.call('start', service.database);

      const play = async (url: string, first: number, viewers: number, cpu: () => Promise<number>): Promise<() => Promise<Round>> => {
        const load = scene.program<PushCalls>('loads/pushes');
        const devices = Array.from({ length: DEVICES }, (_, index) => first + index);
        await load.call('connect', { url, tenantId: fleet.tenantId, apiKey: fleet.apiKey, devices, viewers });
        const report = async (count: number): Promise<Round> => {
          await load.call('prepare', count);
          return countedRound(cpu, () => load.call('report', REPORTS_PER_SECOND));
        };
        await report(WARM_UP_REPORTS);
        return () => report(REPORTS);
      };

      const ofService = (): Promise<number> => service.cpuSeconds();
      const rounds = await inTurns(ROUNDS, {
        baseline: await play(baselineUrl, 0, VIEWERS, () => cpuSeconds(baseline.pid)),
        service: await play(service.url, DEVICES, VIEWERS, ofService),
        unwatched: await play(service.url, 2 * DEVICES, 0, ofService),
      });
      const [bare, measured, unwatched] = [new Side(rounds.baseline), new Side(rounds.service), new Side(rounds.unwatched)];
      const common = { goal: 3, better: 'lower', notes: loadNotes(bare, measured) } as const;
      // The cost of a report without a viewer is spread over the pushes of a report with viewers.
      const perViewer = (side: Side): number => side.cpu - unwatched.cpu / VIEWERS;
      return [
        {
          ...common,
          what: `heartbeats at ${REPORTS_PER_SECOND}/s pushed to ${VIEWERS} viewers: p99`,
          baseline: `${bare.p99.toFixed(1)} ms, median ${bare.p50.toFixed(1)} ms`,
          measured: `${measured.p99.toFixed(1)} ms, median ${measured.p50.toFixed(1)} ms`,
          value: measured.p99 / bare.p99,
          unit: '',
          floor: 10,
          aim: 4,
        },
        {
          ...common,
          what: `heartbeats at ${REPORTS_PER_SECOND}/s: processor time of the service for a push to one viewer more`,
          baseline: `${unwatched.cpu.toFixed(1)} µs for a report without viewers`,
          measured: `${perViewer(measured).toFixed(1)} µs`,
          value: perViewer(measured),
          unit: 'µs',
          floor: 24,
          aim: 12,
        },
      ];
    }),
};
