import { spawn as spawnPty, type IPty } from '@lydell/node-pty';
import { decode } from 'jpeg-js';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Timestamp, viewerHub, type ChatResponseHubDto } from '#libs/contracts';

import { noXServer, XServer } from '../../../agent/src/desktop/x-server.fixture.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';

/** A viewer, the service and the reference agent, with a real X server and a real terminal at which a user is signed in. */
describe('the reference agent', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  let root: string;
  let person: IPty;
  let screen = '';
  let device: KeyedDevice;
  let agent: ReferenceAgent;
  let caller: Caller;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'person-'));
    person = spawnPty('/bin/sh', ['-c', 'tty; exec cat'], {});
    person.onData((text) => (screen += text));
    const terminal = await onScreen(/^\/dev\/(\S+)\r\n/);
    await chmod(`/dev/${terminal}`, 0o620);
    // Stands in for a login, of which there are none on most machines that run tests.
    await writeFile(join(root, 'who'), `#!/bin/sh\necho 'anna     + ${terminal}        2026-11-22 10:00'\n`, { mode: 0o755 });
    device = await createKeyedDevice(server, tenant);
    agent = await ReferenceAgent.start(server, device, { PATH: `${root}:${process.env['PATH']}` });
    const permissions = [
      Permission.DeviceRead,
      Permission.DeviceChatSend,
      Permission.DeviceRemoteControlConnect,
      Permission.DeviceDesktopPreviewRead,
      Permission.DeviceTerminalUse,
    ];
    caller = await callerWith(server, tenant, permissions, at.device(device));
  });

  afterAll(async () => {
    await agent.stop();
    person.kill();
    await rm(root, { recursive: true });
  });

  /** Returns the text on the person's screen that the first group of the pattern matches. */
  async function onScreen(pattern: RegExp): Promise<string> {
    await eventually(`the terminal shows ${pattern.source}`, () => pattern.test(screen));
    return pattern.exec(screen)?.[1] ?? '';
  }

  it.skipIf(noXServer !== undefined)(
    `shows what is on its display${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`,
    async () => {
      const display = keep(await XServer.start('800x600'));
      await display.paint('#228844');
      const viewer = keep(await TestViewer.connect(server, caller.headers));
      const { value } = await viewer.call(viewerHub.GetActiveDesktopSessions2, { deviceId: device.id });
      const session = value?.sessions.find(({ desktopName }) => desktopName === display.name);
      expect(session).toMatchObject({ processId: display.processId, systemSessionId: display.number });

      const preview = await fetch(`${server.url}/api/v1/desktop-preview/${device.id}/${display.processId}?tenantId=${tenant.id}`, {
        headers: caller.headers,
      });
      expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const picture = decode(await preview.arrayBuffer());
      expect([picture.width, picture.height]).toEqual([800, 600]);
      for (const [index, shade] of [0x22, 0x88, 0x44].entries()) expect(Math.abs(picture.data[index] - shade)).toBeLessThan(6);
    },
  );

  it('shows messages to the person at the device, and brings answers back', async () => {
    const viewer = keep(await TestViewer.connect(server, caller.headers));
    const answers: ChatResponseHubDto[] = [];
    viewer.onChatResponse((answer) => answers.push(answer) > 0);
    const sessionId = newGuid();
    const message = {
      deviceId: device.id,
      sessionId,
      message: 'May I restart the device?\u001b[2J',
      senderName: '',
      senderEmail: '',
      targetSystemSession: 0,
      targetProcessId: 0,
      timestamp: Timestamp.fromDate(new Date()),
      viewerConnectionId: '',
    };
    await expect(viewer.call(viewerHub.SendChatMessage2, message)).resolves.toMatchObject({ isSuccess: true });
    const pipe = await onScreen(/echo 'your answer' > (\S+)\r/);
    expect(screen).toContain('May I restart the device?[2J');
    expect(spawnSync('/bin/sh', ['-c', `echo 'Yes, please' > ${pipe}`]).status).toBe(0);
    await eventually('the answer arrives', () => answers.length === 1);
    expect(answers[0]).toMatchObject({ sessionId, message: 'Yes, please', senderUsername: 'anna' });
    // A viewer that leaves ends the conversation.
    await viewer.stop();
    await eventually('the person is told', () => screen.includes('has ended.'));
  });

  it('completes command lines', async () => {
    const viewer = keep(await TestViewer.connect(server, caller.headers));
    const completions = await viewer.call(viewerHub.GetPwshCompletions, {
      deviceId: device.id,
      terminalId: newGuid(),
      lastCompletionInput: `cat "${root}/wh`,
      lastCursorIndex: root.length + 8,
      viewerConnectionId: '',
      forward: null,
      page: 0,
      pageSize: 10,
    });
    expect(completions).toMatchObject({
      isSuccess: true,
      value: { replacementIndex: 4, replacementLength: root.length + 4, completionMatches: [{ completionText: `"${root}/who"` }] },
    });
  });
});
