import { serveCalls } from '../harness/serve-calls.js';
import { LoadAgent, type AgentTarget } from './load-agent.js';

/*
 * Agents with two connections, each to another node. They report through one of them, and all change to the other at once while the first
 * connections end.
 */

interface Moving {
  readonly from: AgentTarget;
  readonly to: AgentTarget;
  readonly devices: readonly number[];
}

const CONNECTING_AT_ONCE = 50;

interface MovingAgent {
  readonly former: LoadAgent;
  readonly next: LoadAgent;
}

let agents: MovingAgent[] = [];
let target: AgentTarget;

const calls = {
  /**
   * Connects the agents to both nodes. Few connections may be open that have never reported, so each reports at the new node before it
   * reports at the former one again, where the device is afterwards.
   */
  async connect({ from, to, devices }: Moving): Promise<void> {
    target = to;
    agents = devices.map((device) => {
      const former = new LoadAgent(device);
      return { former, next: former.twin() };
    });
    const waiting = [...agents];
    await Promise.all(
      Array.from({ length: CONNECTING_AT_ONCE }, async () => {
        for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) {
          const { former, next } = agent;
          await former.connect(from);
          await report(former, from);
          await next.connect(to);
          await report(next, to);
          await report(former, from);
        }
      }),
    );
  },

  /** Signs the report with which each agent moves. */
  prepare(): void {
    for (const { next } of agents) next.prepare(1, target);
  },

  /** Ends all former connections, and lets every agent report through its new one. Returns the milliseconds until all were accepted. */
  move(): Promise<number> {
    for (const { former } of agents) former.lose();
    return reportAll();
  },

  /** Lets every agent that has moved report once more. Returns the milliseconds until all were accepted. */
  stay(): Promise<number> {
    return reportAll();
  },
};

export type MovingCalls = typeof calls;
serveCalls(calls);

async function reportAll(): Promise<number> {
  const started = performance.now();
  const accepted = await Promise.all(agents.map(({ next }) => next.beat()));
  const refused = accepted.filter((isAccepted) => !isAccepted).length;
  if (refused > 0) throw new Error(`${refused} reports were refused.`);
  return performance.now() - started;
}

async function report(agent: LoadAgent, place: AgentTarget): Promise<void> {
  agent.prepare(1, place);
  if (!(await agent.beat())) throw new Error('A device was refused.');
}
