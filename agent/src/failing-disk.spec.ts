import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { Agent } from './agent.js';
import { dataDirectory } from './data-directory.js';
import { DeviceKey } from './device-key.js';
import { HubStub, MemoryLog } from './hub-stub.fixture.js';
import { writeSettings } from './settings.js';

const CAN_MOUNT = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

it.skipIf(!CAN_MOUNT)(`an agent starts on a disk that has become read-only${CAN_MOUNT ? '' : ' (skipped: it needs root)'}`, async () => {
  const root = await mkdtemp(join(tmpdir(), 'agent-'));
  const hub = new HubStub();
  const log = new MemoryLog();
  execFileSync('mount', ['-t', 'tmpfs', 'none', root]);
  try {
    const directory = dataDirectory(root);
    const { privateKey } = await DeviceKey.generate();
    await writeSettings(directory, { serverUri: await hub.listen(), tenantId: randomUUID(), deviceId: randomUUID(), privateKey });
    // As an agent leaves it that was ended in the middle.
    await writeFile(join(root, 'agent-1-0.running'), '');
    await mkdir(directory.temporary);
    await writeFile(join(directory.temporary, 'half.zip'), '');
    await mkdir(directory.uploads);
    await writeFile(join(directory.uploads, '0123456789abcdef'), root);
    execFileSync('mount', ['-o', 'remount,ro', root]);
    const agent = await Agent.start({ directory, log, reconnectJitterSeconds: 0 });
    await hub.until(() => hub.heartbeats[0]);
    await agent.stop();
    expect(log.lines.filter((line) => line.includes('EROFS'))).toHaveLength(2);
  } finally {
    await hub.close();
    execFileSync('umount', [root]);
    await rm(root, { recursive: true });
  }
});
