import { setTimeout as delay } from 'node:timers/promises';

import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';
import { LoadAgent, type AgentTarget } from './load-agent.js';

/*
 * Agents by the thousand: they connect, register with signed updates, send heartbeats as fast as they are answered or at a
 * given rate, and answer what the server asks.
 */

/** How many agents connect at the same time. */
const CONNECTING_AT_ONCE = 50;

/** Keys outlive connections: a device that registered with one is refused with another. */
const known = new Map<number, LoadAgent>();
let connected: LoadAgent[] = [];
let target: AgentTarget | undefined;

const calls = {
  /** Connects the agents of these devices and registers each with a signed update. */
  async connect(argument: { readonly target: AgentTarget; readonly devices: readonly number[] }): Promise<LoadResult> {
    target = argument.target;
    const joining = argument.devices.map(agentOf);
    for (const agent of joining) agent.prepare(1, argument.target);
    connected.push(...joining);
    const recorder = new Recorder();
    const waiting = [...joining];
    await Promise.all(
      Array.from({ length: CONNECTING_AT_ONCE }, async () => {
        for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) {
          const since = performance.now();
          await agent.connect(argument.target);
          await recordBeat(recorder, agent, since);
        }
      }),
    );
    return recorder.result();
  },

  /** Signs so many heartbeats for each agent. */
  prepare(count: number): void {
    if (target === undefined) throw new Error('No agent is connected.');
    for (const agent of connected) agent.prepare(count, target);
  },

  /** Every agent sends what was prepared, the next heartbeat as soon as the last one was answered. */
  async beatAtOnce(): Promise<LoadResult> {
    const recorder = new Recorder();
    await Promise.all(
      connected.map(async (agent) => {
        while (agent.preparedCount > 0) await recordBeat(recorder, agent, performance.now());
      }),
    );
    return recorder.result();
  },

  /** The agents send what was prepared at a steady rate a second, all together; latency counts from when a beat was due. */
  async beatSteadily(rate: number): Promise<LoadResult> {
    const recorder = new Recorder();
    const total = connected.reduce((sum, { preparedCount }) => sum + preparedCount, 0);
    const started = performance.now();
    const beats: Promise<void>[] = [];
    for (let sent = 0; sent < total; sent += 1) {
      const due = started + (sent * 1000) / rate;
      if (due > performance.now()) await delay(due - performance.now());
      beats.push(recordBeat(recorder, connected[sent % connected.length], due));
    }
    await Promise.all(beats);
    return recorder.result();
  },

  /** Every agent disconnects. */
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
