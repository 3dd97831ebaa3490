import { growFleet } from '../harness/database.js';
import type { Goal } from '../harness/finding.js';
import type { LoadResult } from '../harness/load.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { whole } from '../harness/side.js';
import type { AgentCalls } from '../loads/agents.js';
import type { ListCalls } from '../loads/listing.js';

const AGENTS = 500;
const DEVICES = 100_000;
const BEATS_PER_SECOND = 500;
const BEATS = 4;
const ROUNDS = 3;
const FLOOR_MS = 50;
/** The aim, as a multiple of the time that the same heartbeats take without the list. */
const AIM_FACTOR = 5;

/** Goal 13: streaming a long list must not delay heartbeats. */
export const heartbeatsBesideList: Goal = {
  number: 13,
  title: 'heartbeats while a list streams',
  measure: () =>
    Scene.play(AGENTS, async (scene) => {
      const { service, fleet } = scene;
      await growFleet(service.database, fleet, AGENTS, DEVICES);
      const agents = scene.program<AgentCalls>('loads/agents');
      const listing = scene.program<ListCalls>('loads/listing');
      const target = { url: service.url, path: '/hubs/agent', tenantId: fleet.tenantId };
      await agents.call('connect', { target, devices: Array.from({ length: AGENTS }, (_, index) => index) });

      const beat = async (): Promise<LoadResult> => {
        await agents.call('prepare', BEATS);
        const result = await agents.call('beatSteadily', BEATS_PER_SECOND);
        if (result.failed > 0) throw new Error(`${result.failed} heartbeats were refused.`);
        return result;
      };
      const beatBesideList = async (): Promise<LoadResult> => {
        const done = new AbortController();
        const reading = (async () => {
          while (!done.signal.aborted)
            await listing.call('read', { url: `${service.url}/api/v1/devices`, headers: { 'x-api-key': fleet.apiKey } });
        })();
        const result = await beat().finally(() => done.abort());
        await reading;
        return result;
      };

      await beat();
      const rounds = await inTurns(ROUNDS, { alone: beat, beside: beatBesideList });
      const p99 = (results: readonly LoadResult[]): number => median(results.map((result) => result.p99));
      const [alone, beside] = [p99(rounds.alone), p99(rounds.beside)];
      return [
        {
          goal: 13,
          what: `heartbeats at ${BEATS_PER_SECOND}/s while a list of ${whole(DEVICES)} devices streams: p99`,
          baseline: `${alone.toFixed(1)} ms without the list`,
          measured: `${beside.toFixed(1)} ms`,
          value: beside,
          unit: 'ms',
          better: 'lower',
          floor: FLOOR_MS,
          aim: Math.min(FLOOR_MS, Math.round(alone * AIM_FACTOR)),
          notes: [],
        },
      ];
    }),
};
