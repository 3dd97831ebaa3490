import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { agentClient, hubOk } from '#libs/contracts';

import type { ProgramEnd } from '../../../demo/program.js';
import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { agentProgram, createKeyedDevice, ReferenceAgent, waitOffline } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * An agent that was started by hand is uninstalled: it must not go on serving shells from a removed installation. The tests try an
 * agent that works, one that no longer reacts, and a removal from a terminal of the agent itself. Besides, two agents are started on one
 * data folder, and a process that got the id of a killed agent must be left alone.
 */

const server = testServer();

async function startAgent(): Promise<ReferenceAgent> {
  return ReferenceAgent.start(server, await createKeyedDevice(server, await createTenant(server)));
}

async function uninstall(dataDirectory: string): Promise<ProgramEnd> {
  return agentProgram(['uninstall', '--data-dir', dataDirectory]).untilEnd();
}

it('uninstalling ends an agent that nothing but its user has started', async () => {
  const agent = await startAgent();
  expect(await uninstall(agent.dataDirectory)).toEqual({ code: 0, signal: null });
  expect(await agent.untilEnd()).toBe(0);
  expect(existsSync(agent.dataDirectory)).toBe(false);
  await waitOffline(server, agent.device.id);
  await agent.stop();
});

it('uninstalling ends an agent that no longer reacts', async () => {
  const agent = await startAgent();
  agent.freeze();
  expect(await uninstall(agent.dataDirectory)).toEqual({ code: 0, signal: null });
  expect(await agent.program.untilEnd()).toEqual({ code: null, signal: 'SIGKILL' });
  expect(existsSync(agent.dataDirectory)).toBe(false);
  await agent.stop();
});

it('uninstalling succeeds from a terminal that the agent serves, although that ends with it', async () => {
  const agent = await startAgent();
  const terminalId = newGuid();
  const link = server.app.get(DeviceLink);
  await (await link.reach(agent.device.id)).command(agentClient.CreateTerminalSession, [terminalId, 'nobody']);
  const command = `cd '${process.cwd()}' && '${process.execPath}' --import ./test/support/processes/run-typescript.mjs agent/src/main.ts`;
  const input = `${command} uninstall --data-dir '${agent.dataDirectory}'`;
  const typed = { terminalId, input, viewerConnectionId: 'nobody' };
  expect(await (await link.reach(agent.device.id)).invoke(agentClient.ReceiveTerminalInput, [typed])).toEqual(hubOk());
  expect(await agent.untilEnd()).toBe(0);
  // The program that uninstalls ends after the agent.
  await eventually('the data folder is gone', () => !existsSync(agent.dataDirectory));
  await agent.stop();
});

it('a second agent on the same data folder is refused, and the first one stays', async () => {
  const agent = await startAgent();
  const second = agentProgram(['run', '--data-dir', agent.dataDirectory]);
  expect((await second.untilEnd()).code).toBe(1);
  expect(second.output.trim()).toBe(
    `An agent runs on ${agent.dataDirectory} already, in process ${agent.program.pid}. End it first, or name another folder with --data-dir.`,
  );
  const reached = await server.app.get(DeviceLink).reach(agent.device.id);
  const described = await reached.invoke(agentClient.GetPathSegments, [{ targetPath: '/' }]);
  expect(described).toMatchObject({ success: true });
  await agent.stop();
});

it('an agent that was killed neither keeps the next one out nor has another process ended in its place', async () => {
  const agent = await startAgent();
  await agent.kill();
  const bystander = spawn('sleep', ['1000']);
  try {
    // The file that would be left if the bystander had got the id of an agent that was killed.
    const [mark] = (await readdir(agent.dataDirectory)).filter((name) => name.endsWith('.running'));
    await writeFile(join(agent.dataDirectory, mark.replace(/\d+/, String(bystander.pid))), '');
    const next = agentProgram(['run', '--data-dir', agent.dataDirectory]);
    await next.untilPrints(/runs; its log is in/);
    expect((await readdir(agent.dataDirectory)).filter((name) => name.endsWith('.running'))).toEqual([
      expect.stringContaining(`-${next.pid}-`),
    ]);
    expect((await uninstall(agent.dataDirectory)).code).toBe(0);
    expect((await next.untilEnd()).code).toBe(0);
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
  } finally {
    const ended = once(bystander, 'exit');
    bystander.kill('SIGKILL');
    await ended;
    await agent.stop();
  }
});
