import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { agentClient, hubFailure } from '#libs/contracts';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { DeviceTimes } from '../../src/devices/device-link/device-times.js';
import { RelaySessions } from '../../src/live/relay/relay-sessions.js';
import { shortenTimes } from '../hubs/transfers.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { eventually } from '../support/eventually.js';
import { at, createUser, grantAll, holder } from '../support/fixtures/factories.js';
import { BLUE, DESKTOP, DesktopAgent } from '../support/stand-ins/desktop-agent.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { boxOf, deviceWithDesktop } from './support/desktop-page.js';
import { AT_ITS_PORT, frontEnd } from './support/front-end.js';
import { Picture } from './support/picture.js';
import { storeScreenshot, storesScreenshots } from './support/screenshots.js';

/*
 * The states of the tab Screen in which no desktop is shown yet, or no more. Screenshots are stored in test-output/screenshots.
 */

/** Time for the answer of a device that never gives one. */
const SHORT_MS = 500;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the tab Screen${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, AT_ITS_PORT);
  const on = deviceWithDesktop(app);
  const shorten = shortenTimes(app.server);

  /** Stores the state as it looks by day, by night, and on a phone. */
  async function look(page: Page, name: string): Promise<void> {
    if (!storesScreenshots) return;
    const size = page.viewportSize();
    await storeScreenshot(page, `desktop-state-${name}-light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await storeScreenshot(page, `desktop-state-${name}-dark`);
    await page.setViewportSize({ width: 390, height: 844 });
    await storeScreenshot(page, `desktop-state-${name}-phone`);
    await page.emulateMedia({ colorScheme: 'light' });
    if (size !== null) await page.setViewportSize(size);
  }

  it('shows that the desktops are being read', async (test) => {
    const { page, check } = await on.choose(test);
    let answer: (() => void) | undefined;
    on.link.on(agentClient.GetActiveDesktopSessions, async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return [DESKTOP];
    });
    await page.reload();
    await page.getByRole('region', { name: 'Desktops' }).getByRole('status').waitFor();
    expect(await page.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(0);
    await check.enter();
    expect(await check.accessibility()).toEqual([]);
    await look(page, 'loading');
    await eventually('the device is asked', () => answer !== undefined);
    answer?.();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it('says that the desktops could not be read, and tries again', async (test) => {
    on.link.on(agentClient.GetActiveDesktopSessions, () => {
      throw new Error('The desktop client does not answer.');
    });
    const { page, check } = await on.choose(test, { allowedRefusals: [/^5\d\d GET \/api\/v1\/devices\/[^/]+\/desktop-sessions$/] });
    const desktops = page.getByRole('region', { name: 'Desktops' });
    await desktops.getByRole('alert').waitFor();
    expect(await check.accessibility()).toEqual([]);
    await look(page, 'failed');
    on.agent = new DesktopAgent(on.link);
    await desktops.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it('says that the device did not answer in time, after one wait, and tries again', async (test) => {
    let asked = 0;
    on.link.on(agentClient.GetActiveDesktopSessions, async () => {
      asked += 1;
      return new Promise(() => undefined);
    });
    shorten({ answerMs: SHORT_MS });
    const { page, check } = await on.choose(test, { allowedRefusals: [/^504 GET \/api\/v1\/devices\/[^/]+\/desktop-sessions$/] });
    const failed = page.getByRole('region', { name: 'Desktops' }).getByRole('alert');
    await failed.getByText('The device did not answer in time.', { exact: true }).first().waitFor();
    expect(asked).toBe(1);
    expect(await check.accessibility()).toEqual([]);
    await look(page, 'silent');
    // It stays silent, and then answers.
    await failed.getByRole('button', { name: 'Try again' }).click();
    await eventually('the device was asked again', () => asked === 2);
    await failed.waitFor();
    shorten(new DeviceTimes());
    on.agent = new DesktopAgent(on.link);
    await failed.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    expect(await failed.count()).toBe(0);
  });

  it('names the permission that a user lacks', async (test) => {
    const tenant = await app.tenantOf(on.administrator);
    const user = await createUser(app.server, { tenantId: tenant.id });
    await grantAll(app.server, holder.user(user), [Permission.DeviceRead, Permission.DeviceOverviewRead], at.tenant(tenant));
    const { page, check } = await on.choose(test, { user, allowedRefusals: [/^403 /] });
    await page.getByText('No access').waitFor();
    expect(await page.getByRole('link', { name: 'See why' }).getAttribute('href')).toContain('device.remote-control.connect');
    expect(await check.accessibility()).toEqual([]);
    await look(page, 'forbidden');
  });

  it('says that a request for permission has failed, also on another tab', async (test) => {
    let refuse: (() => void) | undefined;
    on.link.on(agentClient.GetActiveDesktopSessions, () => [{ ...DESKTOP, areRemoteControlPermissionsGranted: false }]);
    on.link.on(agentClient.RequestRemoteControlPermission, async () => {
      await new Promise<void>((resolve) => (refuse = resolve));
      return hubFailure('Nobody is at the device.');
    });
    const { page } = await on.choose(test);
    await page.getByRole('button', { name: 'Send permission request' }).click();
    await eventually('the device is asked', () => refuse !== undefined);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Send permission request' }).waitFor({ state: 'detached' });
    refuse?.();
    await page.getByText('Nobody is at the device.').waitFor();
  });

  it('offers previews in a browser that cannot draw beside the page', async (test) => {
    const window = await app.open(test, { user: on.administrator, viewport: { width: 1600, height: 1000 } });
    const { page } = window;
    await page.addInitScript('delete window.OffscreenCanvas');
    await window.goTo(`/devices/${on.device.id}/screen`);
    await page.getByText("This browser can't show live desktops. Update it, or use the previews.").waitFor();
    const preview = page.getByRole('img', { name: /^Desktop of / });
    await eventually('the preview is shown', async () => (await Picture.of(preview)).shows(BLUE, 0.5, 0.5));
    expect(await page.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(0);
    expect(await page.getByText('Ask the person at the device first').count()).toBe(0);
    expect(await window.check.accessibility()).toEqual([]);
    await look(page, 'no-canvas');
  });

  it('says that Windows switched to another user, and leads to the desktops', async (test) => {
    const { page, window } = await on.open(test);
    await page.getByText(/^Keys go to the device/).waitFor();
    on.agent.say('WindowsSessionSwitched');
    on.agent.leave();
    await page.getByText('Windows switched to another user. Choose a desktop again.').waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    expect(await page.getByText(/^Keys go to the device/).count()).toBe(0);
    await look(page, 'switched');
    await page.getByRole('button', { name: 'View desktops' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it('says that the device does not give the desktop of another user', async (test) => {
    on.agent.refusal = 'This desktop belongs to ben, and the agent of the device runs as anna.';
    const { page, check } = await on.choose(test);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('alert').getByText('This desktop belongs to ben, and the agent of the device runs as anna.').waitFor();
    expect(await check.accessibility()).toEqual([]);
    await look(page, 'another-user');
    // On a phone both buttons stay beside each other.
    await page.setViewportSize({ width: 390, height: 844 });
    const [again, others] = [
      await boxOf(page.getByRole('button', { name: 'Try again' })),
      await boxOf(page.getByRole('button', { name: 'View desktops' })),
    ];
    expect(others.y).toBe(again.y);
  });

  it('comes back when the service was restarted', async (test) => {
    const { page, canvas } = await on.open(test, { allowedRefusals: [/^lost WebSocket /] });
    // As a service does that stops.
    await app.server.app.get(RelaySessions, { strict: false }).stop(0);
    await eventually('the device is asked again', () => on.agent.asked.length === 2);
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await eventually('the desktop is drawn', async () => (await Picture.of(canvas)).shows(BLUE, 0.5, 0.5));
    expect(await page.getByText('The server is restarting.').count()).toBe(0);
  });
});
