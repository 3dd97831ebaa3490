import type { HubBaselineCalls } from '../baselines/hub.js';
import { forgetKeys } from '../harness/database.js';
import type { Goal } from '../harness/finding.js';
import { Scene } from '../harness/scene.js';
import { settledBytes } from '../harness/settled.js';
import { whole } from '../harness/side.js';
import type { AgentCalls } from '../loads/agents.js';

const WARM_UP_AGENTS = 500;
const AGENTS = 10_000;
const KIB = 1024;

/** Goal 7: the memory of an agent that is connected, registered and idle. */
export const idleAgents: Goal = {
  number: 7,
  title: 'resident memory of an idle registered agent',
  measure: () =>
    Scene.play(WARM_UP_AGENTS + AGENTS, async (scene) => {
      const { service, fleet } = scene;
      const baseline = scene.program<HubBaselineCalls>('baselines/hub');
      const baselineUrl = await baseline.call('start', service.database);

      const perAgent = async (url: string, pid: number, collect: () => Promise<void> | void): Promise<number> => {
        const load = scene.program<AgentCalls>('loads/agents');
        const target = { url, path: '/hubs/agent', tenantId: fleet.tenantId };
        const resident = (): Promise<number> => settledBytes(pid, collect);
        // The first agents warm up code and buffers; they stay connected.
        await load.call('connect', { target, devices: numbers(0, WARM_UP_AGENTS) });
        const before = await resident();
        const { failed } = await load.call('connect', { target, devices: numbers(WARM_UP_AGENTS, WARM_UP_AGENTS + AGENTS) });
        if (failed > 0) throw new Error(`${failed} agents were refused.`);
        const after = await resident();
        await load.stop();
        return (after - before) / AGENTS / KIB;
      };

      const measured = await perAgent(service.url, service.pid, () => service.collectGarbage());
      // Each load has its own keys, and a device with a stored key accepts no other.
      await forgetKeys(service.database);
      const bare = await perAgent(baselineUrl, baseline.pid, () => baseline.call('collectGarbage', undefined));
      return [
        {
          goal: 7,
          what: `resident memory of an idle registered agent, at ${whole(AGENTS)}`,
          baseline: `${bare.toFixed(1)} KiB`,
          measured: `${measured.toFixed(1)} KiB`,
          value: measured,
          unit: 'KiB',
          better: 'lower',
          floor: 20,
          aim: 12,
          notes: [],
        },
      ];
    }),
};

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
