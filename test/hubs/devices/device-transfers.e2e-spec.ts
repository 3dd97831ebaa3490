import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { AGENT_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { createKeyedDevice, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually, settled } from '../../support/eventually.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { hubsOf } from '../attacks/raw-hub-client.js';
import { TransferClient } from '../transfers.js';

/* Transfers of the reference agent, in a process of its own. */

// Without room for what waits, devices wait for slow readers themselves.
const server = testServer({ Service_AppOptions__MaxFileTransferSize: '0', Service_AppOptions__DownloadSpoolSize: '0' });
const tenant = testTenant(server);
const client = new TransferClient(server, tenant);

const MEBIBYTE = 1024 * 1024;

/** Does the work while full streams of agents get nothing more; else every second a sweep lets a little in. */
async function withoutTrickle(work: () => Promise<void>): Promise<void> {
  const hubs = hubsOf(server, AGENT_HUB_PATH);
  const [{ slowStreamBuffer }] = hubs;
  for (const hub of hubs) hub.slowStreamBuffer = 0;
  try {
    await work();
  } finally {
    for (const hub of hubs) hub.slowStreamBuffer = slowStreamBuffer;
  }
}

describe('the reference agent', () => {
  let device: KeyedDevice;
  let agent: ReferenceAgent;
  let folder: string;

  beforeEach(async () => {
    device = await createKeyedDevice(server, tenant);
    agent = await ReferenceAgent.start(server, device);
    folder = await mkdtemp(join(tmpdir(), 'transfers-'));
  });

  afterEach(async () => {
    await agent.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A file of zeros that takes no room. */
  async function sparseFile(size: number): Promise<string> {
    const path = join(folder, 'sparse');
    const file = await open(path, 'w');
    await file.truncate(size);
    await file.close();
    return path;
  }

  it('waits for a slow reader: memory stays flat on both sides, and nothing is lost', async () => {
    // More than each of the limits below, which a side that does not wait would exceed.
    const size = 128 * MEBIBYTE;
    const filePath = await sparseFile(size);
    const agentBefore = await agent.memory();
    const serverBefore = process.memoryUsage().rss;
    const reader = await client.open(`download/${device.id}`, { filePath });
    await withoutTrickle(async () => {
      expect(await settled('what the agent has read', () => agent.bytesRead())).toBeLessThan(64 * MEBIBYTE);
    });
    // Some of it is code that the agent loads for its first transfer.
    expect((await agent.memory()) - agentBefore).toBeLessThan(80 * MEBIBYTE);
    expect(process.memoryUsage().rss - serverBefore).toBeLessThan(96 * MEBIBYTE);
    let received = 0;
    for await (const piece of reader as AsyncIterable<Buffer>) received += piece.length;
    expect([received, reader.complete]).toEqual([size, true]);
  });

  it('is killed in the middle of a download: the response is cut', async () => {
    const filePath = await sparseFile(1024 * MEBIBYTE);
    const reader = await client.open(`download/${device.id}`, { filePath });
    await agent.kill();
    let received = 0;
    const reading = (async () => {
      for await (const piece of reader as AsyncIterable<Buffer>) received += piece.length;
    })();
    await expect(reading).rejects.toThrow();
    expect(received).toBeLessThan(1024 * MEBIBYTE);
  });

  it('leaves nothing of an upload whose sender goes away', async () => {
    const { sender } = client.startUpload(device, 100 * MEBIBYTE, folder);
    sender.write(Buffer.alloc(MEBIBYTE));
    await eventually('the agent writes', async () => (await readdir(folder)).some((name) => name.endsWith('.partial')));
    sender.destroy();
    await eventually('the agent has removed what it wrote', async () => (await readdir(folder)).length === 0);
    expect(await readFile(join(agent.dataDirectory, 'settings.json'), 'utf8')).toContain(device.id);
  });
});
