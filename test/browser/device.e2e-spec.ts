import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Download, Page } from 'playwright-core';
import { MoreThanOrEqual } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { DeviceActivityKind, DeviceActivityOutcome } from '../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../src/devices/device-activity/device-activity.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, ReferenceAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd } from './support/front-end.js';
import { runInTerminal, runWhenOpen, untilPrompt, withGraphicsCard, withReadableTerminals } from './support/terminal-page.js';

/*
 * The page of a device with a real agent behind it. The agent runs on this machine, so that the test sees the device's files.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the page of a device${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let agent: ReferenceAgent;
  let folder: string;

  beforeAll(async () => {
    administrator = await app.administrator();
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, await app.tenantOf(administrator)));
    folder = await mkdtemp(join(tmpdir(), 'device-files-'));
  });

  afterAll(async () => {
    await agent?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const pageOf = (tab: string): string => `/devices/${agent.device.id}${tab}`;
  const filesOf = (path: string): string => `${pageOf('/files')}?path=${encodeURIComponent(path)}`;

  /** The page with a terminal of the device, at the prompt of its shell. */
  async function openTerminal(test: Pick<TestContext, 'onTestFinished'>): Promise<Page> {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await withReadableTerminals(page);
    // The page asks before it is left while a terminal runs.
    page.on('dialog', (dialog) => void dialog.accept());
    await window.goTo(pageOf('/terminal'));
    await untilPrompt(page);
    return page;
  }

  it('runs commands in a terminal, over a line that breaks and a page that is reloaded', async (test) => {
    const page = await openTerminal(test);
    await runInTerminal(page, 'MARK=shell; echo $((40 + 2))-first', '42-first');

    app.cutLines();
    await runInTerminal(page, 'echo $MARK-cut', 'shell-cut');

    // Another page, and back by the dock: the output is still there.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Operating system').waitFor();
    await page.getByRole('complementary', { name: 'Sessions' }).getByRole('link').click();
    await page.locator('.xterm-rows', { hasText: '42-first' }).waitFor();

    await page.reload();
    await page.locator('.xterm-helper-textarea').waitFor({ state: 'attached' });
    await page.getByText(/^\d+×\d+$/).waitFor();
    await runInTerminal(page, 'echo $MARK-reloaded', 'shell-reloaded');
    expect(await page.locator('.xterm-rows').innerText()).not.toContain('This is a new one');
  });

  it('leaves one record of a terminal, over a page that is reloaded, which ends with it', async (test) => {
    const records = (): Promise<DeviceActivity[]> =>
      app.server.dataSource.manager.findBy(DeviceActivity, {
        deviceId: agent.device.id,
        kind: DeviceActivityKind.Terminal,
        startedAt: MoreThanOrEqual(begun),
      });
    // The records of other tests began before.
    const begun = new Date(app.server.clock.milliseconds());
    const page = await openTerminal(test);
    await runInTerminal(page, 'echo $((40 + 2))-recorded', '42-recorded');
    await page.reload();
    await runWhenOpen(page, 'echo $((40 + 3))-recorded', '43-recorded');
    expect(await records()).toMatchObject([{ endedAt: null }]);

    await page.getByRole('main').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await eventually('the record has ended', async () => (await records()).every(({ endedAt }) => endedAt !== null));
    expect(await records()).toMatchObject([{ outcome: DeviceActivityOutcome.Completed }]);
  });

  it('sends a shell what was typed while it was on its way', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await withReadableTerminals(page);
    page.on('dialog', (dialog) => void dialog.accept());
    let connect: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => (connect = resolve));
    await page.route('**/hubs/viewer/negotiate*', async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.goto(pageOf('/terminal'));
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('echo $((40 + 2))-early\n');
    connect();
    await page.locator('.xterm-rows', { hasText: '42-early' }).waitFor();
  });

  it('shows the terminal that was opened, and each one that is chosen', async (test) => {
    const page = await openTerminal(test);
    await runInTerminal(page, 'echo $((40 + 1))-one', '41-one');
    await page.getByRole('button', { name: 'New terminal' }).click();
    const choices = page.getByRole('group', { name: 'Terminals' });
    await choices.getByRole('button', { pressed: true }).nth(0).and(choices.getByRole('button').nth(1)).waitFor();
    await untilPrompt(page);
    await runInTerminal(page, 'echo $((40 + 2))-two', '42-two');
    expect(await page.locator('.xterm-rows').innerText()).not.toContain('41-one');
    await choices.getByRole('button').first().click();
    await page.locator('.xterm-rows', { hasText: '41-one' }).waitFor();

    await page.keyboard.press('Control+Shift+F');
    await page.getByRole('searchbox', { name: 'Find' }).fill('41-one');
    await page.getByText('1 of 1').waitFor();
    await page.keyboard.press('Escape');
    await runInTerminal(page, 'echo $((40 + 3))-found', '43-found');

    // Colours that have no name.
    await runInTerminal(page, String.raw`printf '\e[38;2;250;120;20m%s\e[0m\n' orange-$((40 + 4))`, 'orange-44');
    await page.locator('.xterm-rows span[style*="rgb"], .xterm-rows span[style*="#fa7814"]').first().waitFor();
  });

  it('draws a terminal with WebGL where a graphics card does the work', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await withGraphicsCard(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await window.goTo(pageOf('/terminal'));
    await page.locator('.xterm-screen canvas').first().waitFor();
    await page.getByText(/^\d+×\d+$/).waitFor();
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('echo $((40 + 2))-drawn\n');
    await page.keyboard.press('Control+Shift+F');
    await page.getByRole('searchbox', { name: 'Find' }).fill('42-drawn');
    await page.getByText('1 of 1').waitFor();
    expect(await page.locator('.xterm-rows').count()).toBe(0);
  });

  it('moves a terminal into a window of its own, and has it back', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await withReadableTerminals(page.context());
    page.on('dialog', (dialog) => void dialog.accept());
    await window.goTo(pageOf('/terminal'));
    await untilPrompt(page);
    await runInTerminal(page, 'MARK=shell; echo $((40 + 2))-here', '42-here');
    const popOut = async (): Promise<Page> => {
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Open in its own window' }).click();
      const popup = await opened;
      await page.getByText('This terminal is in its own window').waitFor();
      await popup.getByRole('heading', { level: 1, name: /^Terminal \d+ on / }).waitFor();
      return popup;
    };

    // It goes on there, also when that window is reloaded.
    const first = await popOut();
    await runWhenOpen(first, 'echo $MARK-there', 'shell-there');
    expect(await first.getByRole('navigation').count()).toBe(0);
    await first.reload();
    await runWhenOpen(first, 'echo $MARK-reloaded', 'shell-reloaded');
    expect(await first.locator('.xterm-rows').innerText()).not.toContain('This is a new one');
    expect(await window.check.accessibility()).toEqual([]);

    // The page has it back when it asks for it, with the earlier output.
    const isClosed = first.waitForEvent('close');
    await page.getByRole('button', { name: 'Bring back' }).click();
    await isClosed;
    await page.locator('.xterm-rows', { hasText: '42-here' }).waitFor();
    await runInTerminal(page, 'echo $MARK-back', 'shell-back');

    // It knows where the terminal is after a reload of its own.
    const second = await popOut();
    await runWhenOpen(second, 'echo $MARK-again', 'shell-again');
    await page.reload();
    await page.getByText('This terminal is in its own window').waitFor();
    const isClosedAgain = second.waitForEvent('close');
    await page.getByRole('button', { name: 'Bring back' }).click();
    await isClosedAgain;
    await runWhenOpen(page, 'echo $MARK-found', 'shell-found');

    // It has it back by itself when the window is closed.
    const third = await popOut();
    await runWhenOpen(third, 'echo $MARK-third', 'shell-third');
    await third.close();
    await page.getByText(/^\d+×\d+$/).waitFor();
    await runInTerminal(page, 'echo $MARK-closed', 'shell-closed');

    // So it does after a reload of its own, when it has long given up waiting for the window to let go.
    const fourth = await popOut();
    await runWhenOpen(fourth, 'echo $MARK-fourth', 'shell-fourth');
    await page.reload();
    await page.getByText('This terminal is in its own window').waitFor();
    const pending = (): Promise<number> => page.evaluate('navigator.locks.query().then(({ pending }) => pending.length)');
    await eventually('the page has given up', async () => (await pending()) === 0);
    await fourth.close();
    await runWhenOpen(page, 'echo $MARK-closed-later', 'shell-closed-later');

    // A terminal that is ended there is ended here.
    const last = await popOut();
    await runWhenOpen(last, 'echo $MARK-last', 'shell-last');
    await last.getByRole('button', { name: 'End', exact: true }).click();
    await last.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No open terminal').waitFor();

    // A browser that opens no windows leaves it where it is, and the page says so.
    await page.getByRole('button', { name: 'New terminal' }).click();
    await untilPrompt(page);
    await page.evaluate('window.open = () => null');
    await page.getByRole('button', { name: 'Open in its own window' }).click();
    await page.getByText('The browser blocked the new window.').waitFor();
    await runInTerminal(page, 'echo $((40 + 2))-stays', '42-stays');
  });

  it('downloads a file as it is on the device', async (test) => {
    const bytes = randomBytes(300_000);
    await writeFile(join(folder, 'data.bin'), bytes);
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(filesOf(folder));
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'data.bin' }).click()]);
    expect(download.suggestedFilename()).toBe('data.bin');
    expect((await readFile(await download.path())).equals(bytes)).toBe(true);
  });

  it('gives a file that is dragged out of the browser its name and its address', async (test) => {
    await writeFile(join(folder, 'dragged.txt'), 'what was dragged');
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(filesOf(folder));
    const carried = page.evaluate<string>(`new Promise((resolve) =>
      addEventListener('dragstart', ({ dataTransfer }) => resolve(dataTransfer.getData('DownloadURL'))))`);
    await page.getByRole('link', { name: 'dragged.txt' }).dragTo(page.getByRole('banner'));
    const [, name, address = ''] = /^application\/octet-stream:([^:]*):(.*)$/.exec(await carried) ?? [];
    expect(name).toBe('dragged.txt');
    expect(await page.evaluate<string>(`fetch(${JSON.stringify(address)}).then((answer) => answer.text())`)).toBe('what was dragged');
  });

  it('downloads several files as an archive', async (test) => {
    for (const name of ['one.txt', 'two.txt']) await writeFile(join(folder, name), name);
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(filesOf(folder));
    for (const name of ['one.txt', 'two.txt']) await page.getByRole('row', { name }).getByRole('checkbox').check();
    // It comes in a tab of its own, which closes as soon as it has begun.
    const downloaded = new Promise<Download>((resolve) => {
      page.context().on('page', (tab) => tab.on('download', resolve));
      page.on('download', resolve);
    });
    await page.getByRole('button', { name: 'Download archive' }).click();
    const archive = await readFile(await (await downloaded).path());
    expect(archive.subarray(0, 2).toString()).toBe('PK');
    for (const name of ['one.txt', 'two.txt']) expect(archive.includes(name)).toBe(true);
  });

  it('uploads a file, and asks before it overwrites one that is there', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    page.on('dialog', (dialog) => void dialog.accept());
    await window.goTo(filesOf(folder));
    const choose = (text: string): Promise<void> =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    const onDevice = (name: string): Promise<string | undefined> => readFile(join(folder, name), 'utf8').catch(() => undefined);

    await choose('first');
    await eventually('the file is on the device', async () => (await onDevice('note.txt')) === 'first');
    await page.getByRole('row', { name: 'note.txt' }).waitFor();

    await choose('second');
    await page.getByRole('button', { name: 'Keep both' }).click();
    await eventually('the other file is beside it', async () => (await onDevice('note (2).txt')) === 'second');
    expect(await onDevice('note.txt')).toBe('first');

    await choose('third');
    await page.getByRole('button', { name: 'Overwrite' }).click();
    await eventually('the file is replaced', async () => (await onDevice('note.txt')) === 'third');
  });

  it('keeps the choice of a log file and a change of its filter that are made right after each other', async (test) => {
    const installerLogs = join(agent.dataDirectory, 'installer-logs');
    await mkdir(installerLogs, { recursive: true });
    await writeFile(join(installerLogs, 'LogFile1.log'), 'installed');
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    const chosen = (): unknown => Object.fromEntries(new URL(page.url()).searchParams);
    const other = page.getByRole('navigation', { name: 'Log files' }).getByRole('button', { name: 'LogFile1.log' });
    const clear = page.getByRole('main').getByRole('button', { name: 'Clear', exact: true });
    for (const inOrder of [
      [other, clear],
      [clear, other],
    ]) {
      await window.goTo(`${pageOf('/logs')}?q=n`);
      await clear.waitFor();
      await clickAtOnce(page, ...inOrder);
      await expect.poll(chosen).toEqual({ file: join(installerLogs, 'LogFile1.log') });
    }
  });

  it('tells on any page that an offline device is back, and leads to where it was awaited', async (test) => {
    const device = await createKeyedDevice(app.server, await app.tenantOf(administrator));
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(`/devices/${device.id}/files`);
    await page.getByRole('button', { name: "Notify me when it's back", pressed: false }).click();
    await page.getByRole('button', { name: "Notify me when it's back", pressed: true }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();

    const returned = await ReferenceAgent.start(app.server, device);
    test.onTestFinished(() => returned.stop());
    await page.getByText(/is back online/).waitFor();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.waitForURL(`**/devices/${device.id}/files*`);
    await page.getByRole('navigation', { name: 'Folders' }).waitFor();
    await window.untilStill();
  });
});
