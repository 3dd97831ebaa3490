import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Agent } from './agent.js';
import { dataDirectory, type DataDirectory } from './data-directory.js';
import { DeviceKey } from './device-key.js';
import { HubStub, MemoryLog } from './hub-stub.fixture.js';
import { writeSettings } from './settings.js';

const CAN_MOUNT = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe.skipIf(!CAN_MOUNT)(`an agent on a disk that fails${CAN_MOUNT ? '' : ' (skipped: it needs root)'}`, () => {
  let hub: HubStub;
  let log: MemoryLog;
  let directory: DataDirectory;
  let root: string;

  beforeEach(async () => {
    hub = new HubStub();
    log = new MemoryLog();
    root = await mkdtemp(join(tmpdir(), 'agent-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'nr_inodes=32', 'none', root]);
    directory = dataDirectory(root);
    const { privateKey } = await DeviceKey.generate();
    await writeSettings(directory, { serverUri: await hub.listen(), tenantId: randomUUID(), deviceId: randomUUID(), privateKey });
  });

  afterEach(async () => {
    await hub.close();
    execFileSync('umount', [root]);
    await rm(root, { recursive: true });
  });

  async function runOnce(): Promise<void> {
    const agent = await Agent.start({ directory, log, reconnectJitterSeconds: 0 });
    await hub.until(() => hub.heartbeats[0]);
    await agent.stop();
  }

  it('starts where it has become read-only', async () => {
    // As an agent leaves it that was ended in the middle.
    await writeFile(join(root, 'agent-1-0.running'), '');
    await mkdir(directory.temporary);
    await writeFile(join(directory.temporary, 'half.zip'), '');
    await mkdir(directory.uploads);
    await writeFile(join(directory.uploads, '0123456789abcdef'), root);
    execFileSync('mount', ['-o', 'remount,ro', root]);
    await runOnce();
    expect(log.lines.filter((line) => line.includes('EROFS'))).toHaveLength(2);
  });

  it('starts where there is no room for another file', async () => {
    const fill = async (): Promise<void> => {
      for (;;) await writeFile(join(root, randomUUID()), '');
    };
    await expect(fill()).rejects.toThrow('ENOSPC');
    await runOnce();
  });
});
