import { setTimeout as delay } from 'node:timers/promises';

import { deviceIdOf } from '../harness/database.js';
import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';
import { steadily } from '../harness/steadily.js';
import { LoadAgent, type AgentTarget } from './load-agent.js';
import { LoadViewer, type ViewerTarget } from './load-viewer.js';

/*
 * Agents that report, and viewers that each hear of all of them. One process plays all parts, so that one clock measures how long a
 * report takes to the viewers.
 */

interface PushTarget {
  readonly url: string;
  readonly tenantId: string;
  readonly apiKey: string;
  readonly devices: readonly number[];
  /** Number of viewers that hear of each device. */
  readonly viewers: number;
  /** Servers that the viewers connect to in turn, if not to `url`. */
  readonly viewerUrls?: readonly string[];
  /** One push may show several reports, and a push may come again. */
  readonly joins?: boolean;
}

/** Devices in one call of a viewer. */
const WATCHED_AT_ONCE = 100;

/** Time-out of the last push, in milliseconds. */
const TIMEOUT_MS = 10_000;

let target: AgentTarget;
/** Agents by the ids of their devices. */
const agents = new Map<string, LoadAgent>();
let viewers: LoadViewer[] = [];
let joins = false;

const calls = {
  /** Connects agents, which register with a signed report, and viewers, which subscribe to all of them. */
  async connect({ url, tenantId, apiKey, devices, viewers: count, viewerUrls = [url], ...options }: PushTarget): Promise<void> {
    joins = options.joins ?? false;
    target = { url, path: '/hubs/agent', tenantId };
    for (const device of devices) {
      const agent = new LoadAgent(device);
      agent.prepare(1, target);
      await agent.connect(target);
      if (!(await agent.beat())) throw new Error('A device was refused.');
      agents.set(deviceIdOf(device), agent);
    }
    const place = (number: number): ViewerTarget => ({ url: viewerUrls[number % viewerUrls.length], path: '/hubs/viewer', apiKey });
    viewers = await Promise.all(Array.from({ length: count }, (_, number) => LoadViewer.connect(place(number), devices[0], number)));
    for (let first = 0; first < devices.length; first += WATCHED_AT_ONCE) {
      const watched = devices.slice(first, first + WATCHED_AT_ONCE);
      const accepted = await Promise.all(viewers.map((viewer) => viewer.watch(watched)));
      if (accepted.includes(false)) throw new Error('A subscription was refused.');
    }
  },

  /** Signs `count` reports for each agent. */
  prepare(count: number): void {
    for (const agent of agents.values()) agent.prepare(count, target);
  },

  /**
   * Sends the prepared reports at a steady rate per second. An operation is a push, timed from when its report was due to its arrival at
   * one viewer; without viewers it is a report, timed to its answer.
   */
  async report(rate: number): Promise<LoadResult> {
    const recorder = new Recorder();
    const audience = new Audience(viewers, recorder);
    const reporting = [...agents];
    const total = reporting.reduce((sum, [, { preparedCount }]) => sum + preparedCount, 0);
    const reports: Promise<void>[] = [];
    for await (const due of steadily(rate, total)) {
      const [deviceId, agent] = reporting[reports.length % reporting.length];
      audience.expect(deviceId, due);
      reports.push(
        agent.beat().then((isAccepted) => {
          if (!isAccepted) recorder.fail();
          else if (viewers.length === 0) recorder.completed(due);
        }),
      );
    }
    await Promise.all(reports);
    await audience.hasHeardAll();
    return recorder.result();
  },
};

export type PushCalls = typeof calls;
serveCalls(calls);

/** Times the pushes that viewers hear. Those of one device come in the order of its reports. */
class Audience {
  /** Times at which the reports of each device were due. */
  private readonly dues = new Map<string, number[]>();
  private missing = 0;
  private onAll: () => void = () => undefined;

  constructor(
    private readonly listeners: readonly LoadViewer[],
    private readonly recorder: Recorder,
  ) {
    for (const viewer of listeners) {
      const heard = new Map<string, number>();
      viewer.onUpdate = (deviceId) => {
        const count = heard.get(deviceId) ?? 0;
        const dues = this.dues.get(deviceId) ?? [];
        const shown = joins ? dues.length : count + 1;
        heard.set(deviceId, shown);
        for (let report = count; report < shown; report += 1) this.hear(dues[report]);
      };
    }
  }

  expect(deviceId: string, due: number): void {
    const dues = this.dues.get(deviceId);
    if (dues === undefined) this.dues.set(deviceId, [due]);
    else dues.push(due);
    this.missing += this.listeners.length;
  }

  async hasHeardAll(): Promise<void> {
    const all = new Promise<void>((resolve) => (this.onAll = resolve));
    if (this.missing === 0) return;
    const done = new AbortController();
    const deadline = delay(TIMEOUT_MS, undefined, { signal: done.signal }).then(
      () => Promise.reject(new Error(`${this.missing} pushes did not arrive.`)),
      () => undefined,
    );
    await Promise.race([all, deadline]).finally(() => done.abort());
  }

  private hear(due: number | undefined): void {
    if (due === undefined) return this.recorder.fail();
    this.recorder.completed(due);
    this.missing -= 1;
    if (this.missing === 0) this.onAll();
  }
}
