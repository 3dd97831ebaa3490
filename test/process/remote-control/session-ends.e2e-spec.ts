import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noXServer, XServer } from '../../../agent/src/desktop/x-server.fixture.js';
import { newMeeting } from '../../hubs/relay-peer.js';
import { eventually } from '../../support/eventually.js';
import { isLong } from '../../support/rounds.js';
import { SETTINGS } from './desktop-viewer.js';
import { press } from './prompts.js';
import { keyEvent, RemoteControl, sessionPrograms, type Opened, type SessionChanges } from './remote-control.js';
import { Screen } from './screen.js';

/** Sessions that start at the same time: each is a program that must be ready within seconds. */
const AT_A_TIME = 6;
/** Sessions of each of the ways that are measured in one go. In a long run there are 200 in all. */
const MANY = isLong ? 24 : AT_A_TIME;
/** Time for all of them on a busy machine, in milliseconds. */
const TIME_LIMIT_MS = 900_000;
/** Sessions that end at the hands of a person, one after the other on each of several desktops. */
const DESKS = 4;
const PERSON_ROUNDS = 2;

const suite = noXServer === undefined ? describe : describe.skip;

/** A desktop of the device. */
interface Desk {
  readonly x: XServer;
  readonly screen: Screen;
}

suite(`remote control sessions${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  let control: RemoteControl;
  const desks: Desk[] = [];
  let begun = 0;

  beforeAll(async () => {
    control = await RemoteControl.start('a program');
  });

  afterAll(async () => {
    for (const peer of control?.peers ?? []) await peer.stop();
    for (const { x, screen } of desks) {
      screen.disconnect();
      await x.stop();
    }
    await control?.stop();
  });

  async function desk(options: readonly string[] = []): Promise<Desk> {
    const x = await XServer.start('640x480', options);
    const started = { x, screen: await Screen.connect(x.name) };
    desks.push(started);
    control.x = x;
    return started;
  }

  async function open({ x }: Desk, changes: SessionChanges = {}): Promise<Opened> {
    begun += 1;
    return control.open(SETTINGS, x.processId, changes);
  }

  /** Sessions on a desktop, each with a key that is held. */
  async function several(on: Desk): Promise<readonly Opened[]> {
    const opened: Opened[] = [];
    while (opened.length < MANY) opened.push(...(await Promise.all(Array.from({ length: AT_A_TIME }, async () => open(on)))));
    for (const { client } of opened) client.send('KeyEvent', keyEvent('Shift', 'ShiftLeft', true));
    await eventually('the keys are down', () => opened.every(({ client }) => client.unacknowledged === 0));
    return opened;
  }

  /** Programs of sessions that show a desktop. */
  function programsOf({ x }: Desk): readonly number[] {
    return sessionPrograms(control.agentProcess).filter((id) => environmentOf(id).includes(`DISPLAY=${x.name}`));
  }

  async function runningSessions(): Promise<readonly { readonly id: string }[]> {
    const path = `/api/inventory/devices/${control.deviceId}/sessions`;
    const answer = await control.machine.client(control.server).get(path);
    return answer.as<{ items: readonly { readonly id: string }[] }>().items;
  }

  async function over(opened: readonly Opened[]): Promise<void> {
    for (const { peer } of opened) await peer.end();
  }

  it('that end in every way leave no program, socket, descriptor, key or file behind', { timeout: TIME_LIMIT_MS }, async () => {
    const main = await desk();
    // The first session loads what stays.
    const [first] = [await open(main)];
    first.peer.socket.close();
    await over([first]);
    await eventually('its program has ended', () => programsOf(main).length === 0);
    const before = descriptorsOf(control.agentProcess);
    const ofServer = descriptorsOf(main.x.processId);

    // Those that take half a minute run beside the others: no answer of the person, and a viewer that does not come.
    const silent = await desk();
    const unanswered = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        begun += 1;
        return control.request(newMeeting(), silent.x.processId, { requireConsent: index % 2 === 0 });
      }),
    );
    expect(unanswered.every(({ isSuccess }) => isSuccess)).toBe(true);

    const ways: readonly ((opened: readonly Opened[]) => void | Promise<void>)[] = [
      // The viewer asks for it, closes, or is cut off.
      (opened) => opened.forEach(({ client }) => client.send('CloseRemoteControlSession', {})),
      (opened) => opened.forEach(({ peer }) => peer.socket.close()),
      (opened) => opened.forEach(({ peer }) => peer.socket.terminate()),
      // The programs are killed or ended.
      () => programsOf(main).forEach((id) => process.kill(id, 'SIGKILL')),
      () => programsOf(main).forEach((id) => process.kill(id, 'SIGTERM')),
      // An administrator ends them.
      async () => {
        for (const { id } of await runningSessions()) {
          const path = `/api/inventory/devices/${control.deviceId}/sessions/${id}`;
          // One that was ended in the way before may be over only now.
          expect([204, 404]).toContain((await control.machine.client(control.server).delete(path)).status);
        }
      },
    ];
    for (const end of ways) {
      const opened = await several(main);
      await end(opened);
      await over(opened);
    }

    // The X server dies.
    const dying = await desk();
    const orphans = await several(dying);
    dying.screen.disconnect();
    await dying.x.stop();
    await over(orphans);

    // The person at the device refuses, or ends what runs.
    const persons = [await desk(), await desk(), await desk(), await desk()].slice(0, DESKS);
    await Promise.all(persons.map(async (each) => untilPersonEnds(each)));

    await eventually('all programs of sessions have ended', () => sessionPrograms(control.agentProcess).length === 0);
    await eventually('the service has no session', async () => (await runningSessions()).length === 0);
    await eventually('the agent has no more descriptors', () => descriptorsOf(control.agentProcess).length <= before.length);
    await eventually('the X server has no more clients', () => descriptorsOf(main.x.processId).length <= ofServer.length);
    await eventually('no key is down', async () => (await main.screen.keysDown()).length === 0);
    expect(readdirSync('/dev/shm').filter((name) => name.startsWith('node-x11'))).toEqual([]);
    expect(begun).toBeGreaterThanOrEqual(isLong ? 200 : 70);
  });

  async function untilPersonEnds(each: Desk): Promise<void> {
    for (let round = 0; round < PERSON_ROUNDS; round += 1) {
      const notified = await open(each, { notifyUserOnSessionStart: true });
      await press(each.screen, 0, 1);
      await eventually('the viewer is asked to close', () => notified.client.of('SessionDisconnectRequested').length > 0);
      await over([notified]);
      await eventually('the program has ended', () => programsOf(each).length === 0);
      begun += 1;
      expect(await control.request(newMeeting(), each.x.processId, { requireConsent: true })).toMatchObject({ isSuccess: true });
      await press(each.screen, 1, 2);
      await eventually('the program has ended', () => programsOf(each).length === 0);
    }
  }
});

function environmentOf(processId: number): readonly string[] {
  try {
    return readFileSync(`/proc/${processId}/environ`, 'utf8').split('\0');
  } catch {
    // It has just ended.
    return [];
  }
}

/** Open descriptors of a process. */
function descriptorsOf(processId: number): readonly string[] {
  return readdirSync(`/proc/${processId}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${processId}/fd/${name}`)];
    } catch {
      // It was closed in between.
      return [];
    }
  });
}
