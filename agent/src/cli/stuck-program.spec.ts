import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataDirectory } from '../data-directory.js';
import { DeviceKey } from '../device-key.js';
import { HubStub } from '../hub-stub.fixture.js';
import { writeSettings } from '../settings.js';
import { until } from '../waiting.fixture.js';

const MAIN = ['--import', './test/support/processes/run-typescript.mjs', 'agent/src/main.ts'];

// A service manager stops all processes of a service, and the launcher passes its signal on to the agent, which so gets two.
it.skipIf(process.platform !== 'linux').each([1, 2])(
  'an agent ends in order when it is stopped, though a program that it has started does not (signals: %i)',
  async (signals) => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-'));
    const hub = new HubStub();
    const directory = dataDirectory(join(folder, 'data'));
    const { privateKey } = await DeviceKey.generate();
    await writeSettings(directory, { serverUri: await hub.listen(), tenantId: randomUUID(), deviceId: randomUUID(), privateKey });
    // As where the server of a network file system is gone.
    const started = join(folder, 'started');
    await writeFile(join(folder, 'df'), `#!/bin/sh\necho $$ >${started}.new\nmv ${started}.new ${started}\nexec sleep 600\n`, {
      mode: 0o755,
    });
    const agent = spawn(process.execPath, [...MAIN, 'run', '--data-dir', directory.root], {
      env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
      stdio: 'ignore',
    });
    try {
      await until(() => existsSync(started) || undefined);
      await until(() => hub.isConnected || undefined);
      agent.kill('SIGTERM');
      if (signals === 2) {
        await until(() => !hub.isConnected || undefined);
        agent.kill('SIGTERM');
      }
      expect(await until(() => agent.exitCode ?? undefined)).toBe(0);
    } finally {
      process.kill(Number(await readFile(started, 'utf8')), 'SIGKILL');
      agent.kill('SIGKILL');
      await hub.close();
      await rm(folder, { recursive: true });
    }
  },
);
