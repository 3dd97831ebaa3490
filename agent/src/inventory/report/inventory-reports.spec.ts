import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { hubFailure, hubValue, InventoryReportDto, type DeviceInventoryDto } from '#libs/contracts';
import { Agent, type AgentOptions } from '../../agent.js';
import { dataDirectory, type DataDirectory } from '../../data-directory.js';
import type { HubLink } from '../../connection/hub-link.js';
import { DeviceKey } from '../../device-key.js';
import { HubStub, MemoryLog, type Message } from '../../hub-stub.fixture.js';
import { writeSettings } from '../../settings.js';
import { AGAIN_AFTER_MS, InventoryReports } from './inventory-reports.js';

let hub: HubStub;
let agent: Agent;
let root: string;
let directory: DataDirectory;
const DAY_MS = 24 * 60 * 60 * 1000;
const deviceId = randomUUID();
const INVENTORY: DeviceInventoryDto = {
  manufacturer: 'LENOVO',
  model: 'ThinkPad',
  serialNumber: 'PF3',
  firmware: 'N3M',
  processor: 'Intel',
  processorCores: 12,
  bootedAt: null,
  memorySlots: [],
  softwareCount: 1,
  software: [{ name: 'bash', version: '5.2', publisher: 'Debian' }],
  updates: null,
};

beforeEach(async () => {
  hub = new HubStub();
  hub.takesInventories = false;
  root = await mkdtemp(join(tmpdir(), 'agent-'));
  directory = dataDirectory(join(root, 'data'));
  const { privateKey } = await DeviceKey.generate();
  await writeSettings(directory, { serverUri: await hub.listen(), tenantId: randomUUID(), deviceId, privateKey });
  agent = await start();
});

afterEach(async () => {
  await agent.stop();
  await hub.close();
  await rm(root, { recursive: true });
});

const start = (options: Partial<AgentOptions> = {}): Promise<Agent> =>
  Agent.start({
    directory,
    log: new MemoryLog(),
    reconnectJitterSeconds: 0,
    inventoryWithinMs: 0,
    // Not that of this machine: on a busy one its programs may fail, and another report would be another one.
    readFullInventory: async () => ({ inventory: structuredClone(INVENTORY), isPartial: false }),
    ...options,
  });
const reports = (): Message[] => hub.received.filter(({ target }) => target === 'ReportInventory');
const nextReport = (number: number): Promise<Message> => hub.until(() => reports()[number - 1]);
const contentOf = (message: Message): InventoryReportDto => InventoryReportDto.decode((message.arguments as unknown[])[0], 'json');
const answer = ({ invocationId }: Message, result: unknown): void => hub.send({ type: 3, invocationId, result });

/** Waits until the agent has taken what was sent before: calls at the same time share one report. */
const untilIdle = (): Promise<unknown> => hub.call('GetPathSegments', { targetPath: '/' });

describe('the inventory', () => {
  it('is reported once the device is known: the hash alone, and the rest if the server wants it', async () => {
    const offer = await nextReport(1);
    expect(contentOf(offer)).toMatchObject({ deviceId, inventory: null });
    answer(offer, hubValue(true));
    const report = await nextReport(2);
    expect(contentOf(report)).toMatchObject({ deviceId, hash: contentOf(offer).hash, inventory: INVENTORY });
    answer(report, hubValue(false));
    await untilIdle();

    // The server asks: nothing has changed, so that the hash is the same.
    const refreshed = hub.call('RequestInventory');
    const again = await nextReport(3);
    expect(contentOf(again)).toEqual(contentOf(offer));
    answer(again, hubValue(false));
    expect(await refreshed).toMatchObject({ isSuccess: true });
    expect(reports()).toHaveLength(3);
  });

  it('is reported once a day although the clock of the device was set back and the connection was lost', async () => {
    vi.useFakeTimers({ now: new Date('2026-06-20') });
    onTestFinished(() => void vi.useRealTimers());
    let asked = 0;
    const link = {
      invoke: async () => {
        asked += 1;
        return hubValue(false);
      },
    } as unknown as HubLink;
    const inventories = new InventoryReports({
      link,
      log: new MemoryLog(),
      firstWithinMs: 0,
      againAfterMs: 0,
      deviceId: () => deviceId,
      read: async () => ({ inventory: structuredClone(INVENTORY), isPartial: false }),
    });
    inventories.open();
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toBe(1);
    vi.setSystemTime(new Date('2026-06-10'));
    inventories.close();
    inventories.open();
    await vi.advanceTimersByTimeAsync(25 * 60 * 60 * 1000);
    expect(asked).toBe(2);
    inventories.close();
  });

  it('is read and reported again, at growing intervals, after a program took too long, and once a day from the first whole one on', async () => {
    vi.useFakeTimers({ now: new Date('2026-06-20') });
    onTestFinished(() => void vi.useRealTimers());
    const times: number[] = [];
    let isPartial = true;
    const inventories = new InventoryReports({
      link: { invoke: async () => hubValue(false) } as unknown as HubLink,
      log: new MemoryLog(),
      firstWithinMs: 0,
      againAfterMs: AGAIN_AFTER_MS,
      deviceId: () => deviceId,
      read: async () => {
        times.push(Date.now());
        return { inventory: structuredClone(INVENTORY), isPartial };
      },
    });
    inventories.open();
    onTestFinished(() => inventories.close());
    await vi.advanceTimersByTimeAsync(7 * AGAIN_AFTER_MS);
    expect(times.length).toBeGreaterThanOrEqual(3);
    await vi.advanceTimersByTimeAsync(14 * DAY_MS);
    expect(times.length).toBeLessThan(25);
    isPartial = false;
    await vi.advanceTimersByTimeAsync(DAY_MS);
    const reported = times.length;
    await vi.advanceTimersByTimeAsync(10 * DAY_MS);
    expect(times.length - reported).toBe(10);
  });

  it('tells who asks why the server did not take it', async () => {
    answer(await nextReport(1), hubFailure('Too many agents.'));
    await untilIdle();
    const refreshed = hub.call('RequestInventory');
    answer(await nextReport(2), hubFailure('Too many agents.'));
    expect(await refreshed).toMatchObject({ isSuccess: false, reason: 'Too many agents.' });
  });

  it('is reported again over the same connection after the server has failed', async () => {
    await nextReport(1);
    await agent.stop();
    agent = await start({ inventoryAgainAfterMs: 0 });
    const { invocationId } = await nextReport(2);
    hub.send({ type: 3, invocationId, error: 'An unexpected error occurred.' });
    answer(await nextReport(3), hubValue(false));
    expect(hub.connections).toBe(2);
  });

  it('is kept from a server that does not know it until the next connection, and everything else goes on', async () => {
    const { invocationId } = await nextReport(1);
    hub.send({ type: 3, invocationId, error: 'Method does not exist.' });
    await expect(hub.call('GetPathSegments', { targetPath: '/' })).resolves.toMatchObject({ success: true });
    expect(reports()).toHaveLength(1);
    hub.drop();
    await nextReport(2);
    expect(hub.connections).toBe(2);
  });
});
