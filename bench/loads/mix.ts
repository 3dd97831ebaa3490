import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';

import { deviceIdOf } from '../harness/database.js';
import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';
import { steadily } from '../harness/steadily.js';
import { LoadAgent, type AgentTarget } from './load-agent.js';
import { LoadViewer } from './load-viewer.js';

/*
 * The share of one node of an ordinary day: agents that report, a tenth of them watched, viewers that call agents, and HTTP clients. Agents
 * are connected to that node, everything else to all nodes in turn.
 */

interface MixTarget {
  readonly agentUrl: string;
  readonly urls: readonly string[];
  readonly tenantId: string;
  readonly apiKey: string;
  readonly devices: readonly number[];
}

/** Ten operations in their order: seven reports, two requests, one call. */
const TURN = ['report', 'report', 'get', 'report', 'report', 'call', 'report', 'get', 'report', 'report'] as const;
const REPORTS = TURN.filter((kind) => kind === 'report').length;
const CONNECTING_AT_ONCE = 20;

const http = new Agent({ keepAlive: true });
let target: MixTarget;
let agents: LoadAgent[] = [];
let watchers: LoadViewer[] = [];
let callers: LoadViewer[] = [];

const agentTarget = (): AgentTarget => ({ url: target.agentUrl, path: '/hubs/agent', tenantId: target.tenantId });

const calls = {
  /** Connects agents of all devices, a viewer that watches each of the first tenth, and one that calls each of the second tenth. */
  async connect(argument: MixTarget): Promise<void> {
    target = argument;
    const { devices, urls, apiKey } = target;
    agents = devices.map((device) => new LoadAgent(device));
    const waiting = [...agents];
    await Promise.all(
      Array.from({ length: CONNECTING_AT_ONCE }, async () => {
        for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) {
          agent.prepare(1, agentTarget());
          await agent.connect(agentTarget());
          if (!(await agent.beat())) throw new Error('A device was refused.');
        }
      }),
    );
    const tenth = Math.floor(devices.length / 10);
    const viewer = (device: number, number: number): Promise<LoadViewer> =>
      LoadViewer.connect({ url: urls[number % urls.length], path: '/hubs/viewer', apiKey }, device, number);
    const watched = devices.slice(0, tenth);
    watchers = await Promise.all(watched.map(viewer));
    const accepted = await Promise.all(watchers.map((watcher, index) => watcher.watch([watched[index]])));
    if (accepted.includes(false)) throw new Error('A subscription was refused.');
    callers = await Promise.all(devices.slice(tenth, 2 * tenth).map(viewer));
  },

  /** Signs the reports of so many operations. */
  prepare(operations: number): void {
    const count = Math.ceil((operations * REPORTS) / TURN.length / agents.length) + 1;
    for (const agent of agents) agent.prepare(count, agentTarget());
  },

  /** Does so many operations at a steady rate per second. */
  async run({ operations, rate }: { readonly operations: number; readonly rate: number }): Promise<LoadResult> {
    const recorder = new Recorder();
    const done: Promise<void>[] = [];
    const counts = { report: 0, get: 0, call: 0 };
    const next = { report, get, call };
    for await (const due of steadily(rate, operations)) {
      const kind = TURN[done.length % TURN.length];
      const operation = next[kind](counts[kind]);
      counts[kind] += 1;
      done.push(operation.then((succeeded) => (succeeded ? recorder.completed(due) : recorder.fail())));
    }
    await Promise.all(done);
    return recorder.result();
  },
};

export type MixCalls = typeof calls;
serveCalls(calls);

function report(number: number): Promise<boolean> {
  return agents[number % agents.length].beat();
}

function call(number: number): Promise<boolean> {
  return callers[number % callers.length].type();
}

/** Reads one device. */
async function get(number: number): Promise<boolean> {
  const { urls, devices, apiKey } = target;
  const url = new URL(`/api/v1/devices/${deviceIdOf(devices[number % devices.length])}`, urls[number % urls.length]);
  const asked = request(url, { agent: http, headers: { 'x-api-key': apiKey } });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode === 200;
}
