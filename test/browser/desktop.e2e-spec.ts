import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loginOf, Person, pipeOn, say } from '../../agent/src/chat/person.fixture.js';
import { noXServer, XServer } from '../../agent/src/desktop/x-server.fixture.js';
import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { browserOf } from '../support/callers/browser.js';
import { createKeyedDevice, ReferenceAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { at, createUser, grant, grantAll, holder } from '../support/fixtures/factories.js';
import { ClipboardProgram } from '../process/remote-control/clipboard-program.js';
import { ended, noTerminal, Screen } from '../process/remote-control/screen.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { AT_ITS_PORT, frontEnd } from './support/front-end.js';
import { Picture } from './support/picture.js';
import { storeScreenshot } from './support/screenshots.js';

/*
 * The desktop of a device in a browser, and the person at it: a real X server, a real terminal, and the agent. The line of `who` for the
 * terminal stands in for a login. The service is at its port, because the agent takes relays without encryption on its own machine only.
 */

const missing = [hasChromium ? [] : WITHOUT_CHROMIUM, noXServer === undefined ? [] : `skipped: ${noXServer}`].flat();
const built = missing.length === 0 ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = missing.length === 0 ? describe : describe.skip;

suite(`the desktop of a device in a browser${missing.length === 0 ? '' : ` (${missing.join('; ')})`}`, () => {
  const app = frontEnd(built, AT_ITS_PORT);
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
    await page.goto(addressOf('screen'));
    await picture.waitFor();
    await eventually('the desktop is blue', async () => (await Picture.of(picture)).shows(0x3366cc, 0.5, 0.5));
    await display.paint('#cc3366');
    await eventually('the next picture is red', async () => (await Picture.of(picture)).shows(0xcc3366, 0.5, 0.5));
  });

  it('is seen live, as the agent sends it', async (test) => {
    await display.paint('#3366cc');
    const { page } = await app.open(test, { user: administrator });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(addressOf('screen'));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const canvas = page.getByRole('main').locator('canvas:not([data-last-picture])');
    await canvas.waitFor();
    await eventually('the desktop is blue', async () => (await Picture.of(canvas)).shows(0x3366cc, 0.5, 0.5));
    await display.paint('#cc3366');
    await eventually('the desktop is red', async () => (await Picture.of(canvas)).shows(0xcc3366, 0.5, 0.5));
    await page.getByRole('toolbar', { name: 'Desktop tools' }).getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it.skipIf(noTerminal !== undefined)(
    `shares its clipboard in both directions, and pastes at once${noTerminal === undefined ? '' : ` (skipped: ${noTerminal})`}`,
    async (test) => {
      const copying = await ClipboardProgram.connect(display.name);
      const screen = await Screen.connect(display.name);
      test.onTestFinished(() => {
        copying.disconnect();
        screen.disconnect();
      });
      const { page } = await app.open(test, { user: administrator });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      page.on('dialog', (dialog) => void dialog.accept());
      await page.goto(addressOf('screen'));
      await page.evaluate(`navigator.clipboard.writeText('from the browser: ä 漢')`);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const canvas = page.getByRole('main').locator('canvas:not([data-last-picture])');
      await canvas.waitFor();
      await page.getByRole('toolbar', { name: 'Desktop tools' }).getByRole('button', { name: 'Clipboard', exact: true }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Keep clipboards in sync' }).click();
      await page.keyboard.press('Escape');
      await eventually('the device has the text', async () => (await copying.text()) === 'from the browser: ä 漢');
      await copying.copy('from the device: ö €');
      await eventually('the browser has the text', async () => {
        return (await page.evaluate('navigator.clipboard.readText()')) === 'from the device: ö €';
      });

      // A terminal that pastes the clipboard into a file, whatever has the focus.
      const typed = join(folder, 'typed');
      const paste = 'XTerm*VT100.translations: #override Ctrl <Key>v: insert-selection(CLIPBOARD)';
      const terminal = screen.terminal(`touch ${typed}.begun; head -n 1 > ${typed}`, '-fullscreen', '-u8', '-xrm', paste);
      test.onTestFinished(() => ended(terminal));
      await eventually('the terminal is there', () => existsSync(`${typed}.begun`));
      await canvas.click({ position: { x: 20, y: 20 } });
      await page.evaluate(`navigator.clipboard.writeText('pasted at once\\n')`);
      await page.keyboard.press('Control+v');
      await eventually('it was pasted', () => existsSync(typed) && readFileSync(typed, 'utf8') !== '');
      expect(readFileSync(typed, 'utf8')).toBe('pasted at once\n');
      await page.getByRole('toolbar', { name: 'Desktop tools' }).getByRole('button', { name: 'End', exact: true }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    },
  );

  it('is shown and controlled on a display of 8K', async (test) => {
    const large = await XServer.start('7680x4320');
    test.onTestFinished(() => large.stop());
    await large.paint('#3366cc');
    const { page } = await app.open(test, { user: administrator, viewport: { width: 1600, height: 1000 } });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`/devices/${agent.device.id}/screen?process=${large.processId}`);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const canvas = page.getByRole('main').locator('canvas:not([data-last-picture])');
    await canvas.waitFor();
    await eventually('the desktop is blue', async () => (await Picture.of(canvas)).shows(0x3366cc, 0.99, 0.99));
    await large.paint('#cc3366');
    await eventually('the desktop is red', async () => (await Picture.of(canvas)).shows(0xcc3366, 0.99, 0.99));
    await storeScreenshot(page, 'desktop-8k');
    const screen = await Screen.connect(large.name);
    test.onTestFinished(() => screen.disconnect());
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('The desktop is not shown.');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await eventually('the pointer is in the middle', async () => {
      const { rootX, rootY } = await screen.pointer();
      return Math.abs(rootX - 3840) < 10 && Math.abs(rootY - 2160) < 10;
    });
    const tools = page.getByRole('toolbar', { name: 'Desktop tools' });
    const download = page.waitForEvent('download');
    await tools.getByRole('button', { name: 'More tools', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save screenshot' }).click();
    const bytes = await readFile(await (await download).path());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([7680, 4320]);
    await tools.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it('takes files that are sent, and files that are dropped on the desktop', async (test) => {
    const target = await mkdtemp(join(tmpdir(), 'sent-'));
    test.onTestFinished(() => rm(target, { recursive: true, force: true }));
    const { page } = await app.open(test, { user: administrator });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(addressOf('screen'));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('main').locator('canvas:not([data-last-picture])').waitFor();
    const tools = page.getByRole('toolbar', { name: 'Desktop tools' });
    await tools.getByRole('button', { name: 'Send files', exact: true }).click();
    const folderField = page.getByRole('dialog').getByRole('textbox', { name: 'Folder on the device' });
    await eventually('it begins in the home of the user', async () => (await folderField.inputValue()) === homedir());
    await folderField.fill(target);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Choose files…' }).click();
    await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('from the phone') });
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByRole('listitem').filter({ hasText: 'notes.txt' }).getByText('Done').waitFor();
    expect(await readFile(join(target, 'notes.txt'), 'utf8')).toBe('from the phone');

    // Only a drag of the browser itself carries files.
    const source = join(folder, 'drawing.svg');
    await writeFile(source, 'from the desk');
    const box = await page.getByRole('main').locator('canvas').boundingBox();
    if (box === null) throw new Error('The desktop is not shown.');
    const devTools = await page.context().newCDPSession(page);
    const drag = (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<unknown> =>
      devTools.send('Input.dispatchDragEvent', {
        type,
        x: box.x + box.width / 2,
        y: box.y + 20,
        data: { items: [], files: [source], dragOperationsMask: 1 },
      });
    await drag('dragEnter');
    await drag('dragOver');
    await page.getByRole('status').getByText(`Send to ${target}`).waitFor();
    await drag('dragOver');
    await drag('drop');
    await uploads.getByRole('listitem').filter({ hasText: 'drawing.svg' }).getByText('Done').waitFor();
    expect(await readFile(join(target, 'drawing.svg'), 'utf8')).toBe('from the desk');
    await tools.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
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

    await page.getByRole('button', { name: 'End chat', exact: true }).click();
    await person.reads('has ended.');
    // What was said stays.
    await messages.getByText('You ended the chat.').waitFor();
    await messages.getByText('Done, thank you').waitFor();
    await page.getByRole('complementary', { name: 'Sessions' }).waitFor({ state: 'detached' });
  });

  /** Sends a message, and waits until the person has it. Returns the pipe for their answers. */
  async function write(page: Page, text: string): Promise<string> {
    const before = person.screen.length;
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.keyboard.press('Enter');
    await person.reads(new RegExp(`${text}[^]*To answer: [^]*\\r\\n`));
    await eventually('the person has the message', () => pipeOn(person.screen.slice(before)) !== '');
    return pipeOn(person.screen.slice(before));
  }

  const entryOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Sessions' }).getByRole('link', { name: /Chat with/ });

  it('goes on while the user works elsewhere, counts what was not read, and leads back to its history', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    page.on('dialog', (dialog) => void dialog.accept());
    await window.goTo(addressOf('chat'));
    const pipe = await write(page, 'Are you at your desk?');
    await page.getByLabel('Message', { exact: true }).fill('We restart at');
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
    for (const answer of ['Yes', 'Until noon']) expect(say(pipe, answer)).toBe(0);
    await entryOf(page).getByText('2 unread messages').waitFor();
    expect(await window.check.accessibility()).toEqual([]);

    await entryOf(page).click();
    const messages = page.getByRole('log', { name: 'Messages' });
    for (const text of ['Are you at your desk?', 'Yes', 'Until noon']) await messages.getByText(text, { exact: true }).waitFor();
    await entryOf(page)
      .getByText(/unread/)
      .waitFor({ state: 'detached' });
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('We restart at');
    // The same conversation goes on.
    expect(say(pipe, 'Still here')).toBe(0);
    await messages.getByText('Still here').waitFor();
  });

  it('says that the person has ended it, on the page and in the dock, and keeps the history', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(addressOf('chat'));
    const pipe = await write(page, 'May I restart it now?');
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
    expect(say(pipe, '/end')).toBe(0);
    await entryOf(page).getByText('done', { exact: true }).waitFor();
    await entryOf(page).click();
    const messages = page.getByRole('log', { name: 'Messages' });
    await messages.getByText(`${userInfo().username} ended the chat.`).waitFor();
    await messages.getByText('May I restart it now?').waitFor();
    expect(await page.getByRole('button', { name: 'End chat', exact: true }).isEnabled()).toBe(false);
    // Another message begins another conversation.
    await write(page, 'One more thing');
    expect(await page.getByRole('button', { name: 'End chat', exact: true }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'End chat', exact: true }).click();
    await messages.getByText('You ended the chat.').waitFor();
  });

  it('ends with the right, which the page says, and leaves nothing for the next user of the browser', async (test) => {
    const tenant = await app.tenantOf(administrator);
    const user = await createUser(app.server, { tenantId: tenant.id });
    await grantAll(app.server, holder.user(user), [Permission.DeviceRead, Permission.DeviceOverviewRead], at.tenant(tenant));
    const right = { principal: holder.user(user), permission: Permission.DeviceChatSend, scope: at.tenant(tenant) };
    const assignment = await grant(app.server, right);
    const window = await app.open(test, { user, allowedRefusals: [/^40[13] /] });
    const { page } = window;
    await window.goTo(addressOf('chat'));
    await write(page, 'Hello there');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Operating system').waitFor();
    const path = `/api/v1/permission-assignments/${assignment.id}`;
    await (await browserOf(app.server, administrator)).delete(path, { query: { tenantId: tenant.id } });
    await entryOf(page).getByText('done', { exact: true }).waitFor();
    await entryOf(page).getByText('1 unread message').waitFor();
    await person.reads(/Hello there[^]*has ended/);
  });
});
