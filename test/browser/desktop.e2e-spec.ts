import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loginOf, Person, pipeOn, say } from '../../agent/src/chat/person.fixture.js';
import { noXServer, XServer } from '../../agent/src/desktop/x-server.fixture.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, ReferenceAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';
import { Picture } from './support/picture.js';

/*
 * The desktop of a device in a browser, and the person at it: a real X server, a real terminal, and the agent. The line of `who` for the
 * terminal stands in for a login.
 */

const missing = [hasChromium ? [] : WITHOUT_CHROMIUM, noXServer === undefined ? [] : `skipped: ${noXServer}`].flat();
const built = missing.length === 0 ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = missing.length === 0 ? describe : describe.skip;

suite(`the desktop of a device in a browser${missing.length === 0 ? '' : ` (${missing.join('; ')})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let folder: string;
  let display: XServer;
  let person: Person;
  let agent: ReferenceAgent;

  beforeAll(async () => {
    administrator = await app.administrator();
    folder = await mkdtemp(join(tmpdir(), 'desktop-'));
    display = await XServer.start('640x480');
    person = new Person({ DISPLAY: display.name });
    const login = loginOf(userInfo().username, await person.terminal());
    await writeFile(join(folder, 'who'), `#!/bin/sh\nprintf '%s' '${login}'\n`, { mode: 0o755 });
    const device = await createKeyedDevice(app.server, await app.tenantOf(administrator));
    agent = await ReferenceAgent.start(app.server, device, { PATH: [folder, process.env.PATH].join(delimiter) });
  });

  afterAll(async () => {
    await agent?.stop();
    person?.leave();
    await display?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** The address of a tab, with the desktop of this test: the machine may have others. */
  const addressOf = (tab: string): string => `/devices/${agent.device.id}/${tab}?process=${display.processId}`;

  it('is shown as it is at the moment', async (test) => {
    await display.paint('#3366cc');
    const { page } = await app.open(test, { user: administrator });
    const main = page.getByRole('main');
    const picture = main.getByRole('img', { name: /^Desktop of / });
    await page.goto(addressOf('preview'));
    await picture.waitFor();
    await eventually('the desktop is blue', async () => (await Picture.of(picture)).shows(0x3366cc, 0.5, 0.5));
    // The agent takes no keys and no pointer for this desktop, which is no reason to warn: the desktop can be seen.
    await main.getByText("View only: the agent can't control this desktop.").waitFor();
    expect(await main.innerText()).not.toMatch(/see this desktop/);
    await display.paint('#cc3366');
    await eventually('the next picture is red', async () => (await Picture.of(picture)).shows(0xcc3366, 0.5, 0.5));
  });

  it('brings messages to the person there, and answers back', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(addressOf('chat'));
    const messages = page.getByRole('log', { name: 'Messages' });
    await page.getByLabel('Message', { exact: true }).fill('Please save your work.');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('We restart at noon.');
    await page.keyboard.press('Enter');
    await messages.getByText('Delivered').waitFor();
    const screen = await person.reads('To answer');
    expect(screen).toMatch(/Message from \S.*:\r\n {2}Please save your work\.\r\n {2}We restart at noon\.\r\n/);

    expect(say(pipeOn(screen), 'Done, thank you')).toBe(0);
    await messages.getByText('Done, thank you').waitFor();
    expect(await messages.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^You · .*\s+Please save your work\.\nWe restart at noon\.\s+Delivered$/),
      expect.stringMatching(new RegExp(`^${userInfo().username} · .*\\s+Done, thank you$`)),
    ]);
    expect(await window.check.accessibility()).toEqual([]);

    await page.getByRole('button', { name: 'End chat' }).click();
    await person.reads('has ended.');
    await page.getByText('No messages yet').waitFor();
  });
});
