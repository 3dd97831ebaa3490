import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import { MoreThanOrEqual } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { DeviceActivityKind, DeviceActivityOutcome } from '../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../src/devices/device-activity/device-activity.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { hasVncServer, VncServer, WITHOUT_VNC_SERVER } from '../process/vnc/vnc-server.js';
import { XClipboard } from '../process/vnc/x11-clipboard.js';
import { GREEN, Painter, RED } from '../process/vnc/x11-painter.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, ReferenceAgent, waitOffline } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { portToKeep } from '../support/processes/service-process.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { AT_ITS_PORT, frontEnd } from './support/front-end.js';
import { Picture } from './support/picture.js';

/*
 * The screen of a device in a browser: a real X server with VNC, the agent, the relay, and what is on the canvas in the end. The service is
 * at its port, because the agent takes relays without encryption on its own machine only.
 */

const SIZE = { width: 1280, height: 800 };
const BLACK = 0;

const built = hasChromium && hasVncServer ? await builtFrontEnd() : { folder: '', pages: [] };
const missing = [hasChromium ? [] : WITHOUT_CHROMIUM, hasVncServer ? [] : WITHOUT_VNC_SERVER].flat();
const suite = missing.length === 0 ? describe : describe.skip;

suite(`the screen of a device in a browser${missing.length === 0 ? '' : ` (${missing.join('; ')})`}`, () => {
  const app = frontEnd(built, AT_ITS_PORT);
  let administrator: User;
  let folder: string;
  let screen: VncServer;
  let painter: Painter;
  let agent: ReferenceAgent;

  beforeAll(async () => {
    administrator = await app.administrator();
    folder = await mkdtemp(join(tmpdir(), 'screen-'));
    screen = await VncServer.start(SIZE, folder);
    painter = await Painter.start(screen.display, SIZE);
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, await app.tenantOf(administrator)));
  });

  afterAll(async () => {
    await agent?.stop();
    await painter?.stop();
    await screen?.kill();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** A window with the screen of the device in it. */
  async function open(test: TestContext, port = screen.port): Promise<{ page: Page; canvas: Locator }> {
    // The displays of other tests are desktops of this machine too, and may end before their pictures are taken.
    const allowedRefusals = [/^50[24] GET \/api\/v1\/desktop-preview\//];
    const window = await app.open(test, { user: administrator, viewport: { width: 1600, height: 900 }, allowedRefusals });
    const { page } = window;
    // The page asks before it is left while a screen is shown.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.goTo(`/devices/${agent.device.id}/screen?port=${port}`);
    await page.getByRole('button', { name: 'Connect by VNC' }).click();
    return { page, canvas: page.getByRole('main').locator('canvas') };
  }

  const toolOf = (page: Page, name: string): Locator =>
    page.getByRole('toolbar', { name: 'Screen tools' }).getByRole('button', { name, exact: true });

  /** Returns the position on the page of a place on the device's screen. */
  async function placeOn(canvas: Locator, x: number, y: number): Promise<[x: number, y: number]> {
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('The screen is not shown.');
    return [box.x + (x / SIZE.width) * box.width, box.y + (y / SIZE.height) * box.height];
  }

  const shows = async (canvas: Locator, colour: number, x: number, y: number): Promise<boolean> =>
    (await Picture.of(canvas)).shows(colour, x / SIZE.width, y / SIZE.height);

  it('is drawn, and takes the pointer and the keyboard', async (test) => {
    const { page, canvas } = await open(test);
    await eventually('the black window is drawn', () => shows(canvas, BLACK, 300, 200));

    await page.mouse.click(...(await placeOn(canvas, 300, 200)));
    await eventually('the red square is drawn', () => shows(canvas, RED, 305, 195));
    await page.mouse.move(...(await placeOn(canvas, 900, 600)));
    await page.keyboard.press('a');
    await eventually('the green square is drawn', () => shows(canvas, GREEN, 905, 595));
    expect(await shows(canvas, BLACK, 340, 200)).toBe(true);
  });

  it('fits its place or has the size that it has there, and can be only watched', async (test) => {
    const { page, canvas } = await open(test);
    await eventually('the screen is drawn', () => shows(canvas, BLACK, 640, 20));
    const room = await page.getByRole('main').boundingBox();
    const fitted = await canvas.boundingBox();
    expect(fitted?.width).toBeLessThanOrEqual(room?.width ?? 0);
    expect(fitted?.height).toBeLessThan(SIZE.height);
    await toolOf(page, 'Fit to window').click();
    await eventually('a pixel there is a pixel here', async () => (await canvas.boundingBox())?.width === SIZE.width);
    await toolOf(page, 'Fit to window').click();
    await eventually('it fits again', async () => (await canvas.boundingBox())?.width === fitted?.width);

    await toolOf(page, 'View only').click();
    await page.mouse.click(...(await placeOn(canvas, 100, 400)));
    await toolOf(page, 'View only').click();
    await page.mouse.click(...(await placeOn(canvas, 200, 400)));
    await eventually('the second press is drawn', () => shows(canvas, RED, 200, 400));
    expect(await shows(canvas, BLACK, 100, 400)).toBe(true);
  });

  it('shares the clipboard both ways', async (test) => {
    const { page, canvas } = await open(test);
    await eventually('the screen is drawn', () => shows(canvas, BLACK, 640, 20));
    const clipboard = await XClipboard.open(screen.display);
    test.onTestFinished(() => clipboard.close());

    await page.evaluate(`navigator.clipboard.writeText('from the browser: ä €')`);
    await toolOf(page, 'Send clipboard to device').click();
    await page.getByText('Clipboard sent to the device').waitFor();
    await eventually('the device has the text', async () => (await clipboard.paste()) === 'from the browser: ä €');

    clipboard.copy('from the device: ö €');
    await eventually('the browser has the text', async () => {
      await toolOf(page, `Copy clipboard from device`).click();
      return (await page.evaluate('navigator.clipboard.readText()')) === 'from the device: ö €';
    });
  });

  it('comes back by itself when the line was cut', async (test) => {
    const { page, canvas } = await open(test);
    await eventually('the screen is drawn', () => shows(canvas, BLACK, 640, 20));
    app.cutLines();
    await page.getByText('Reconnecting (1 of 5)').waitFor();
    await page.getByText('Reconnecting (1 of 5)').waitFor({ state: 'detached' });
    await page.mouse.click(...(await placeOn(canvas, 700, 100)));
    await eventually('a press is drawn again', () => shows(canvas, RED, 700, 100));

    await toolOf(page, 'End').click();
    await page.getByRole('button', { name: 'Connect by VNC' }).waitFor();
  });

  it('leaves the focus where the user works when it comes back', async (test) => {
    const { page, canvas } = await open(test);
    await eventually('the screen is drawn', () => shows(canvas, BLACK, 640, 20));
    app.cutLines();
    await page.getByText('Reconnecting (1 of 5)').waitFor();
    await page.getByRole('link', { name: 'Overview' }).focus();
    await page.getByText('Reconnecting (1 of 5)').waitFor({ state: 'detached' });
    await eventually('the screen is drawn', () => shows(canvas, BLACK, 640, 20));
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Overview');
  });

  it.for<[string, (page: Page) => Promise<unknown>]>([
    ['the user ends it', (page) => toolOf(page, 'End').click()],
    ['the page is left for another', (page) => page.goto('/favicon.svg')],
    ['the browser is closed', (page) => page.context().close()],
  ])('leaves one record, which ends when %s', async ([, leave], test) => {
    const records = (): Promise<DeviceActivity[]> =>
      app.server.dataSource.manager.findBy(DeviceActivity, { kind: DeviceActivityKind.Vnc, startedAt: MoreThanOrEqual(begun) });
    // The records of other tests began before.
    const begun = new Date(app.server.clock.milliseconds());
    const { page, canvas } = await open(test);
    await eventually('the screen is drawn', () => shows(canvas, BLACK, 640, 20));
    // Records are written in the background.
    await expect.poll(records).toMatchObject([{ deviceId: agent.device.id, endedAt: null }]);
    await leave(page);
    await eventually('the record has ended', async () => (await records()).every(({ endedAt }) => endedAt !== null));
    expect(await records()).toMatchObject([{ outcome: DeviceActivityOutcome.Completed }]);
  });

  it('is there again after the page was reloaded, on any page, until it is ended', async (test) => {
    const { page, canvas } = await open(test);
    await eventually('the screen is drawn', () => shows(canvas, BLACK, 640, 20));
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Operating system').waitFor();
    await page.reload();
    const entry = page.getByRole('complementary', { name: 'Sessions' }).getByRole('link', { name: /Screen, port \d+ ?running/ });
    await entry.click();
    await eventually('the screen is drawn again', () => shows(canvas, BLACK, 640, 20));

    await toolOf(page, 'End').click();
    await page.getByRole('button', { name: 'Connect by VNC' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Connect by VNC' }).waitFor();
    expect(await page.getByRole('complementary', { name: 'Sessions' }).count()).toBe(0);
  });

  it('comes back after its device was restarted, and shows its last picture dimmed until then', async (test) => {
    const { page, canvas } = await open(test);
    await eventually('the screen is drawn', () => shows(canvas, BLACK, 640, 20));
    await page.mouse.click(...(await placeOn(canvas, 1000, 300)));
    await eventually('a press is drawn', () => shows(canvas, RED, 1000, 300));

    await agent.shutDown();
    await waitOffline(app.server, agent.device.id);
    await page.getByText('The device is offline. The screen comes back with it; below is the last picture.').waitFor();
    const last = page.locator('[data-last-picture] canvas');
    // What it holds is not what is seen of it.
    const pixel = `[...document.querySelector('[data-last-picture] canvas').getContext('2d').getImageData(1000, 300, 1, 1).data.slice(0, 3)]`;
    expect(await page.evaluate(pixel)).toEqual([255, 0, 0]);
    expect(await shows(last, RED, 1000, 300)).toBe(false);
    await page
      .getByRole('complementary', { name: 'Sessions' })
      .getByRole('link', { name: /waiting/ })
      .waitFor();

    agent = await agent.startAgain(app.server);
    await last.waitFor({ state: 'detached' });
    await eventually('a press is drawn again', async () => {
      await page.mouse.click(...(await placeOn(canvas, 1000, 500)));
      return shows(canvas, RED, 1000, 500);
    });
  });

  it('says where no VNC server listens', async (test) => {
    const silent = await portToKeep();
    const { page } = await open(test, silent);
    await page.getByText(`No VNC server on port ${silent}`).waitFor();
    // The page says it: the dock has nothing to lead back to, now and after other pages.
    const dock = page.getByRole('complementary', { name: 'Sessions' });
    expect(await dock.count()).toBe(0);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Operating system').waitFor();
    expect(await dock.count()).toBe(0);
    await page.goBack();
    await page.getByRole('button', { name: 'Connect by VNC' }).click();
    await page.getByText(`No VNC server on port ${silent}`).waitFor();
    await page.getByRole('spinbutton', { name: 'Port' }).fill(String(screen.port));
    await page.getByRole('button', { name: 'Try again' }).click();
    await toolOf(page, 'End').waitFor();
  });
});
