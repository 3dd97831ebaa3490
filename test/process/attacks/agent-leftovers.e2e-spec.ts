import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { agentClient } from '#libs/contracts';

import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import { agentProgram, createKeyedDevice, ReferenceAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * An agent is killed in the middle of an upload, again and again if an attacker wants to fill the disk. The next agent must remove what was
 * left behind, and must not touch a file of the same kind that belongs to another agent.
 */

const server = testServer();

it('an upload that a killed agent left unfinished is gone after the next start', async () => {
  const agent = await ReferenceAgent.start(server, await createKeyedDevice(server, await createTenant(server)));
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  let endUpload: () => void = () => undefined;
  const stalled = new Promise<void>((resolve) => (endUpload = resolve));
  async function* half(): AsyncIterable<Uint8Array> {
    yield Buffer.from('half');
    await stalled;
  }
  const file = { targetDirectoryPath: folder, fileName: 'file', fileSize: 8, overwrite: false };
  const upload = server.app.get(DeviceLink).sendStream(agent.device.id, half, (invoke, streamId) => {
    return invoke(agentClient.DownloadFileFromViewer, [{ ...file, streamId }]);
  });
  // It fails with the agent, as it must.
  const failed = expect(upload).rejects.toThrow();
  await eventually('the upload is under way', async () => (await readdir(folder)).length === 1);
  await agent.kill();
  endUpload();
  await failed;
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^\.upload-[0-9a-f]{16}\.partial$/)]);

  const another = '.upload-0123456789abcdef.partial';
  await writeFile(join(folder, another), '');
  const next = agentProgram(['run', '--data-dir', agent.dataDirectory]);
  await next.untilPrints(/runs; its log is in/);
  expect(await readdir(folder)).toEqual([another]);
  await next.stop();
  await agent.stop();
  await rm(folder, { recursive: true });
});
