import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it as plainIt } from 'vitest';

import { Agent, type AgentOptions } from './agent.js';
import { dataDirectory } from './data-directory.js';
import { DeviceKey } from './device-key.js';
import { deviceResponse, envelope, HubStub, MemoryLog } from './hub-stub.fixture.js';
import { writeSettings } from './settings.js';
import { until } from './waiting.fixture.js';

const HOUR_MS = 3_600_000;
const TOLERANCE_MS = 60_000;
/** The agent's message about its clock: the difference in seconds, ahead of or behind the server's. */
const OFF = /The clock of this machine is (\d+) s (behind|ahead of) that of the server\./u;
/** Error of the measurement in seconds: the time of an answer has no fraction of its second, and a busy hub gives it late. */
const PRECISION_S = 10;
/** The words of the contract; a server says no more. */
const STALE = { value: null, isSuccess: false, reason: 'Timestamp expired.' };

/** A hub that refuses reports from another time, and an agent on a machine whose clock can be wrong. */
class Site {
  readonly hub = new HubStub();
  readonly log = new MemoryLog();
  /** Lead of the machine's clock, in milliseconds. */
  wallAhead = 0;
  private agent: Agent | undefined;

  private constructor(private readonly root: string) {
    this.hub.heartbeatResult = (dto) => {
      const signed = envelope(this.hub.heartbeats.at(-1) ?? this.hub.received[0]).timestamp.unixMilliseconds;
      return Math.abs(signed - this.hub.now()) > TOLERANCE_MS ? STALE : { value: deviceResponse(dto), isSuccess: true };
    };
  }

  static async open(): Promise<Site> {
    return new Site(await mkdtemp(join(tmpdir(), 'agent-')));
  }

  /** Starts the agent and waits for its first report. Every further beat of its period would come after the deadline of a test. */
  async startAgent(wall: () => number = () => Date.now() + this.wallAhead): Promise<void> {
    const directory = dataDirectory(join(this.root, 'data'));
    const { privateKey } = await DeviceKey.generate();
    await writeSettings(directory, { serverUri: await this.hub.listen(), tenantId: randomUUID(), deviceId: randomUUID(), privateKey });
    const clocks: AgentOptions['clocks'] = { wall, monotonic: () => performance.now() };
    this.agent = await Agent.start({ directory, log: this.log, reconnectJitterSeconds: 0, clocks });
    await this.hub.until(() => this.hub.heartbeats[0]);
  }

  async close(): Promise<void> {
    await this.agent?.stop();
    await this.hub.close();
    await rm(this.root, { recursive: true });
  }
}

const it = plainIt.extend('site', async ({ onTestFinished }) => {
  const site = await Site.open();
  onTestFinished(() => site.close());
  return site;
});

// At the same time, because they wait for seconds that an agent leaves between two reports.
describe.concurrent('the agent of a machine whose clock is wrong', () => {
  it.for([
    ['behind', -HOUR_MS],
    ['ahead of', HOUR_MS],
  ] as const)('says how far it is %s the server, and reports again soon after it is right', async ([words, error], { site }) => {
    const { hub, log } = site;
    site.wallAhead = error;
    await site.startAgent();
    const [, seconds, side] = await until(() => OFF.exec(log.lines.join('\n')) ?? undefined);
    expect(side).toBe(words);
    expect(Math.abs(Number(seconds) - HOUR_MS / 1000)).toBeLessThanOrEqual(PRECISION_S);
    site.wallAhead = 0;
    await hub.until(() => (hub.heartbeats.length === 2 ? true : undefined));
    expect(log.lines.join('\n')).toContain(`The clock was set by ${-error / 1000} s.`);
    expect(Math.abs(envelope(hub.heartbeats[1]).timestamp.unixMilliseconds - Date.now())).toBeLessThan(TOLERANCE_MS);
    expect(log.lines.filter((line) => line.includes('refused'))).toHaveLength(1);
  });

  it('reports no more often than every five seconds, however often the clock is set', async ({ site }) => {
    let steps = 0;
    const wall = (): number => Date.now() + HOUR_MS + 10_000 * steps++;
    const start = performance.now();
    await site.startAgent(wall);
    await site.hub.until(() => (site.hub.heartbeats.length === 3 ? true : undefined));
    expect(performance.now() - start).toBeGreaterThan(10_000 - 1);
  });

  it('says that the clocks agree when only the order of the reports is wrong', async ({ site }) => {
    const { hub, log } = site;
    hub.heartbeatResult = () => STALE;
    await site.startAgent();
    await until(() => log.lines.find((line) => line.includes('agrees with that of the server')));
  });

  it('tries again although the server gives no time', async ({ site }) => {
    const { hub, log } = site;
    site.wallAhead = HOUR_MS;
    hub.now = () => Number.NaN;
    hub.heartbeatResult = () => STALE;
    await site.startAgent();
    await until(() => log.lines.find((line) => line.includes('Timestamp expired. The time of the server is not known')));
    hub.heartbeatResult = (dto) => ({ value: deviceResponse(dto), isSuccess: true });
    site.wallAhead = 0;
    await hub.until(() => (hub.heartbeats.length === 2 ? true : undefined));
  });
});
