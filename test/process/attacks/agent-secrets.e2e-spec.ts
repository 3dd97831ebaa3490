import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubOk } from '#libs/contracts';

import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, ReferenceAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/*
 * A viewer looks for the secrets of an agent that was started from the shell in which it was installed: for the secret of the installer
 * key in the environment of a terminal and of the agent's process, and for the key of the device in the data folder.
 */

const SECRET = 'only-the-installer-may-know';

describe('an agent that was started with secrets in its environment', () => {
  const server = testServer();
  const tenant = testTenant(server);
  let agent: ReferenceAgent;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'looked-at-'));
    const secrets = { DEVICE_AGENT_KEY_SECRET: SECRET, SOME_PASSWORD: 'of somebody' };
    agent = await ReferenceAgent.start(server, await createKeyedDevice(server, tenant), secrets);
  });

  afterAll(async () => {
    await agent.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs a command line in a terminal of the agent and returns its output. */
  async function printedBy(command: string): Promise<string> {
    const [terminalId, file] = [newGuid(), join(folder, newGuid())];
    const link = server.app.get(DeviceLink);
    const typed = { terminalId, input: `{ ${command}; } > '${file}'; mv '${file}' '${file}.done'`, viewerConnectionId: 'nobody' };
    expect(await (await link.reach(agent.device.id)).invoke(agentClient.ReceiveTerminalInput, [typed])).toEqual(hubOk());
    await eventually('the command has ended', () => existsSync(`${file}.done`));
    return readFile(`${file}.done`, 'utf8');
  }

  it('gives its terminals nothing of them', async () => {
    const variables = (await printedBy('env')).split('\n').map((line) => line.split('=')[0]);
    expect(variables).toEqual(expect.arrayContaining(['PATH', 'HOME', 'LANG', 'TERM', 'USER', 'SHELL']));
    expect(variables).not.toContain('DEVICE_AGENT_KEY_SECRET');
    expect(variables).not.toContain('SOME_PASSWORD');
  });

  it('no longer has the secret of the installer key where other processes can read it', async () => {
    const environment = await printedBy(`tr '\\0' '\\n' < /proc/${agent.program.pid}/environ`);
    expect(environment).toContain('SOME_PASSWORD=of somebody');
    expect(environment).not.toContain(SECRET);
  });

  it('serves neither its data folder nor its process as files', async () => {
    const link = server.app.get(DeviceLink);
    const refusal = { isSuccess: false, reason: "The agent's own files cannot be reached through the agent." };
    const settings = join(agent.dataDirectory, 'settings.json');
    const ask = { streamId: newGuid(), deviceId: agent.device.id };
    const { id } = agent.device;
    for (const filePath of [settings, agent.dataDirectory, '/proc/self/environ', `/proc/${agent.program.pid}/environ`]) {
      expect(await (await link.reach(id)).invoke(agentClient.UploadFileToViewer, [{ ...ask, filePath }])).toMatchObject(refusal);
    }
    const archive = { ...ask, archiveFileName: 'all', targetPaths: [settings] };
    expect(await (await link.reach(id)).invoke(agentClient.UploadArchiveToViewer, [archive])).toMatchObject(refusal);
    const listing = { ...ask, directoryPath: agent.dataDirectory };
    expect(await (await link.reach(id)).invoke(agentClient.StreamDirectoryContents, [listing])).toMatchObject(refusal);
    expect(await (await link.reach(id)).invoke(agentClient.StreamSubdirectories, [listing])).toMatchObject(refusal);
    expect(await (await link.reach(id)).invoke(agentClient.DeleteFile, [{ targetPath: settings }])).toMatchObject(refusal);
    const around = await (await link.reach(id)).invoke(agentClient.DeleteFile, [{ targetPath: join(agent.dataDirectory, '..') }]);
    expect(around).toMatchObject({ isSuccess: false, reason: "The agent's own files are in this directory." });
    expect(JSON.parse(await readFile(settings, 'utf8'))).toMatchObject({ deviceId: id });
  });
});
