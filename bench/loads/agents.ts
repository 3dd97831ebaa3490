import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';
import { steadily } from '../harness/steadily.js';
import { LoadAgent, type AgentTarget } from './load-agent.js';

/*
 * Thousands of agents: they connect, register with signed updates, send heartbeats at a given rate or as fast as they
 * are answered, and answer calls of the server.
 */

/** Number of agents that connect at the same time. */
const CONNECTING_AT_ONCE = 50;

/** Agents with their keys. They outlive connections, because a device that registered with one key is refused with another. */
const known = new Map<number, LoadAgent>();
let connected: LoadAgent[] = [];
let target: AgentTarget | undefined;

const calls = {
  /** Connects the agents of these devices and registers each with a signed update. */
  async connect(argument: { readonly target: AgentTarget; readonly devices: readonly number[] }): Promise<LoadResult> {
    target = argument.target;
    const joining = argument.devices.map(agentOf);
    connected.push(...joining);
    const recorder = new Recorder();
    const waiting = [...joining];
    await Promise.all(
      Array.from({ length: CONNECTING_AT_ONCE }, async () => {
        for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) {
          // Not all of them before: a server that needs more than a minute would refuse the last ones for their time.
          agent.prepare(1, argument.target);
          const since = performance.now();
          await agent.connect(argument.target);
          await recordBeat(recorder, agent, since);
        }
      }),
    );
    return recorder.result();
  },

  /** Signs `count` heartbeats for each agent. */
  prepare(count: number): void {
    if (target === undefined) throw new Error('No agent is connected.');
    for (const agent of connected) agent.prepare(count, target);
  },

  /** Sends the prepared heartbeats of every agent, each as soon as the one before was answered. */
  async beatAtOnce(): Promise<LoadResult> {
    const recorder = new Recorder();
    await Promise.all(
      connected.map(async (agent) => {
        while (agent.preparedCount > 0) await recordBeat(recorder, agent, performance.now());
      }),
    );
    return recorder.result();
  },

  /**
   * Sends the prepared heartbeats at a steady rate per second over all agents. Latency counts from the time at which a
   * heartbeat was due.
   */
  async beatSteadily(rate: number): Promise<LoadResult> {
    const recorder = new Recorder();
    const total = connected.reduce((sum, { preparedCount }) => sum + preparedCount, 0);
    const beats: Promise<void>[] = [];
    for await (const due of steadily(rate, total)) beats.push(recordBeat(recorder, connected[beats.length % connected.length], due));
    await Promise.all(beats);
    return recorder.result();
  },

  /** The network breaks: every agent loses its connection without a word. */
  lose(): void {
    for (const agent of connected) agent.lose();
    connected = [];
  },

  /** Disconnects every agent. */
  async disconnect(): Promise<void> {
    const leaving = connected;
    connected = [];
    await Promise.all(leaving.map((agent) => agent.disconnect()));
  },
};

export type AgentCalls = typeof calls;
serveCalls(calls);

function agentOf(device: number): LoadAgent {
  let agent = known.get(device);
  if (agent === undefined) known.set(device, (agent = new LoadAgent(device)));
  return agent;
}

async function recordBeat(recorder: Recorder, agent: LoadAgent, since: number): Promise<void> {
  if (await agent.beat()) recorder.completed(since);
  else recorder.fail();
}
