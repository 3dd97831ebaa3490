import { chown, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { viewerHub } from '#libs/contracts';

import { authority, noXServer, XServer } from '../../../agent/src/desktop/x-server.fixture.js';
import { newMeeting } from '../../hubs/relay-peer.js';
import { eventually } from '../../support/eventually.js';
import { noAgentOfNobody, NOBODY, RemoteControl, sessionPrograms } from './remote-control.js';
import { Screen } from './screen.js';

/** Another account that every Linux has. */
const DAEMON = 1;

const missing = noXServer ?? noAgentOfNobody();
const suite = missing === undefined ? describe : describe.skip;

suite(`an agent that does not run as root${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let control: RemoteControl;

  beforeAll(async () => {
    control = await RemoteControl.start('a program of nobody');
  });

  beforeEach(async () => control.begin());
  afterEach(async () => control.end());

  afterAll(async () => {
    await control?.stop();
  });

  /** Starts an X server of an account, which lets in only those who have its keys. */
  async function desktopOf(uid: number): Promise<void> {
    const keys = join(control.folder, 'keys');
    await chmod(control.folder, 0o755);
    await writeFile(keys, authority(Buffer.alloc(16, 7)), { mode: 0o600 });
    await chown(keys, uid, uid);
    control.x = await XServer.start('320x240', ['-auth', keys], 24, { uid, gid: uid });
  }

  /** The agent has not the server's sockets in sight, and finds it once it takes connections. */
  async function isListed(): Promise<void> {
    await eventually('the agent lists the desktop', async () => {
      const { value } = await control.viewer.call(viewerHub.GetActiveDesktopSessions2, { deviceId: control.deviceId });
      return value?.sessions.some(({ processId }) => processId === control.x.processId) === true;
    });
  }

  it('refuses the desktop of another user with a sentence that names both', async () => {
    await desktopOf(DAEMON);
    await isListed();
    expect(await control.request(newMeeting(), control.x.processId)).toMatchObject({
      isSuccess: false,
      reason:
        `Display ${control.x.name} of the device belongs to daemon, and the agent of the device runs as nobody. ` +
        'Only an agent that runs as root shows desktops of other users.',
    });
    await eventually('nothing is left running', () => sessionPrograms(control.agentProcess).length === 0);
  });

  it('shows the desktop of another user that lets everybody in, and that of its own account', async () => {
    for (const uid of [DAEMON, NOBODY]) {
      control.x = await XServer.start('320x240', [], 24, { uid, gid: uid });
      control.screen = await Screen.connect(control.x.name);
      await control.x.paint('#3366cc');
      await isListed();
      const { client, peer } = await control.open();
      expect(client.pixel(160, 120)).toEqual([0x33, 0x66, 0xcc]);
      peer.socket.close();
      await peer.end();
      await eventually('its program has ended', () => sessionPrograms(control.agentProcess).length === 0);
      control.screen.disconnect();
      await control.x.stop();
    }
  });
});
