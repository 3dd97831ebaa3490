import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { Permission, type PermissionDefinition } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { browserOf } from '../support/callers/browser.js';
import { eventually } from '../support/eventually.js';
import { at, createUser, grant, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { deviceWithDesktop, placeOn, toolOf } from './support/desktop-page.js';
import { AT_ITS_PORT, frontEnd } from './support/front-end.js';
import { storeScreenshot } from './support/screenshots.js';

/*
 * The clipboards of a user and of a desktop in sync, through an agent that was written for these tests. Screenshots are stored in
 * test-output/screenshots.
 */

const SYNC = 'Keep clipboards in sync';

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`clipboards in sync in a browser${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, AT_ITS_PORT);
  const on = deviceWithDesktop(app);

  const allow = (page: Page): Promise<void> => page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = (page: Page, text: string): Promise<unknown> => page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  const copied = (page: Page): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
  const given = (): unknown[] => on.agent.all('ClipboardText').map(({ Text }) => Text);
  const takes = (isWanted: boolean): Promise<void> =>
    on.agent.hears('UpdateCaptureSettings', ({ ClipboardSync }) => (ClipboardSync ?? false) === isWanted);
  const has = (page: Page, text: string): Promise<void> =>
    eventually(`the clipboard has ${text}`, async () => (await copied(page)) === text);

  /** Tells the viewer that something was copied on the device. */
  function copyOnDevice(text: string): void {
    on.agent.clipboard = text;
    on.agent.say('ClipboardText', { Text: text, SessionId: on.agent.asked.at(-1)?.sessionId });
  }

  /** Turns it on or off, or only looks at it. */
  async function toggle(page: Page, was: 'on' | 'off', then: 'change' | 'stay' = 'change'): Promise<void> {
    await toolOf(page, was === 'on' ? 'Clipboard, in sync' : 'Clipboard').click();
    const entry = page.getByRole('menuitemcheckbox', { name: SYNC, checked: was === 'on' });
    if (then === 'change') await entry.click();
    else await entry.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }

  /** Takes the focus from the picture, and gives it back. */
  async function leaveAndReturn(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Overview' }).focus();
    await page.mouse.click(...(await placeOn(page.getByRole('img', { name: /^Desktop of / }), 0.9, 0.9)));
  }

  async function userWith(...permissions: readonly PermissionDefinition[]): Promise<User> {
    const tenant = await app.tenantOf(on.administrator);
    const user = await createUser(app.server, { tenantId: tenant.id });
    const may = [Permission.DeviceRead, Permission.DeviceOverviewRead, Permission.DeviceRemoteControlConnect, ...permissions];
    await grantAll(app.server, holder.user(user), may, at.tenant(tenant));
    return user;
  }

  it('leaves both alone until the user wants it, then brings each text to the other side', async (test) => {
    const { page, window } = await on.open(test);
    await allow(page);
    await copy(page, 'from here');
    copyOnDevice('not wanted');
    await leaveAndReturn(page);
    await on.agent.hears('MouseButtonEvent', ({ IsPressed }) => IsPressed === false);
    await takes(false);
    expect(given()).toEqual([]);
    expect(await copied(page)).toBe('from here');

    await toolOf(page, 'Clipboard').click();
    await page.getByRole('menuitemcheckbox', { name: SYNC, checked: false }).click();
    await page.getByRole('menuitemcheckbox', { name: SYNC, checked: true }).waitFor();
    await storeScreenshot(page, 'desktop-clipboard');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await window.check.accessibility()).toEqual([]);
    await takes(true);
    await on.agent.hears('ClipboardText', ({ Text, SessionId }) => Text === 'from here' && SessionId === on.agent.asked.at(-1)?.sessionId);

    copyOnDevice('from the device: ö €');
    await has(page, 'from the device: ö €');
    // What came from there does not go back.
    await leaveAndReturn(page);
    await copy(page, 'copied elsewhere: 漢');
    await leaveAndReturn(page);
    await eventually('the device has the text', () => given().length === 2);
    expect(given()).toEqual(['from here', 'copied elsewhere: 漢']);

    await toggle(page, 'on');
    await eventually('the device is told', () => on.agent.all('UpdateCaptureSettings').at(-1)?.ClipboardSync !== true);
    copyOnDevice('too late');
    await copy(page, 'stays here');
    on.agent.forget();
    await leaveAndReturn(page);
    await on.agent.hears('MouseButtonEvent', ({ IsPressed }) => IsPressed === false);
    expect(given()).toEqual([]);
    expect(await copied(page)).toBe('stays here');
  });

  it('gives the device what is pasted before it gets the keys', async (test) => {
    const { page } = await on.open(test);
    await allow(page);
    await copy(page, 'first');
    await toggle(page, 'off');
    await on.agent.hears('ClipboardText');
    await leaveAndReturn(page);
    // Copied by a program that leaves the focus where it is.
    await copy(page, 'pasted at once');
    on.agent.forget();
    await page.keyboard.press('Control+v');
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'v' && IsPressed === false);
    const order = on.agent.heard.flatMap(({ name, value }) =>
      name === 'ClipboardText' ? [value.Text] : name === 'KeyEvent' ? [`${value.IsPressed === true ? '+' : '-'}${String(value.Key)}`] : [],
    );
    expect(order.filter((each) => each !== '-Control')).toEqual(['+Control', 'pasted at once', '+v', '-v']);

    // The same text again needs the keys only.
    on.agent.forget();
    await page.keyboard.press('Control+v');
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'v' && IsPressed === false);
    expect(given()).toEqual([]);
    expect(on.agent.all('TypeText')).toEqual([]);
  });

  it('keeps a text of the device until the window has the focus again, and takes the newer one', async (test) => {
    const { page } = await on.open(test);
    await allow(page);
    await copy(page, 'before');
    await toggle(page, 'off');
    await on.agent.hears('ClipboardText');
    const away = (isAway: boolean): Promise<unknown> =>
      page.evaluate(isAway ? 'document.hasFocus = () => false' : 'delete document.hasFocus');
    await away(true);
    copyOnDevice('while away');
    on.agent.say('ToastNotification', { Message: 'The text was sent.', Severity: 0 });
    await page.getByText('The text was sent.').waitFor();
    expect(await copied(page)).toBe('before');
    await away(false);
    await leaveAndReturn(page);
    await has(page, 'while away');

    await away(true);
    copyOnDevice('older');
    on.agent.say('ToastNotification', { Message: 'Another text was sent.', Severity: 0 });
    await page.getByText('Another text was sent.').waitFor();
    await copy(page, 'newer');
    await away(false);
    await leaveAndReturn(page);
    await on.agent.hears('ClipboardText', ({ Text }) => Text === 'newer');
    expect(await copied(page)).toBe('newer');
    expect(given()).toEqual(['before', 'newer']);
  });

  it('leaves this clipboard alone when the device is back at the text that both have', async (test) => {
    const { page } = await on.open(test);
    await allow(page);
    await copy(page, 'common');
    await toggle(page, 'off');
    await on.agent.hears('ClipboardText');
    await page.evaluate('document.hasFocus = () => false');
    copyOnDevice('for a moment');
    copyOnDevice('common');
    on.agent.say('ToastNotification', { Message: 'Both texts were sent.', Severity: 0 });
    await page.getByText('Both texts were sent.').waitFor();
    await page.evaluate(`{
      const { clipboard } = navigator;
      const write = clipboard.writeText.bind(clipboard);
      window.written = [];
      clipboard.writeText = (text) => (window.written.push(text), write(text));
      delete document.hasFocus;
    }`);
    await leaveAndReturn(page);
    copyOnDevice('the next one');
    await has(page, 'the next one');
    expect(await page.evaluate('window.written')).toEqual(['the next one']);
  });

  it('takes what was copied on the device while this clipboard is being read', async (test) => {
    const { page } = await on.open(test);
    await allow(page);
    await copy(page, 'before');
    await toggle(page, 'off');
    await on.agent.hears('ClipboardText');
    // A clipboard that answers late, as that of a busy program does.
    await page.evaluate(`{
      const { clipboard } = navigator;
      const read = clipboard.readText.bind(clipboard);
      window.isAsked = false;
      clipboard.readText = async () => {
        const text = await read();
        window.isAsked = true;
        await new Promise((resolve) => (window.answerNow = resolve));
        delete clipboard.readText;
        return text;
      };
    }`);
    await leaveAndReturn(page);
    await eventually('the page reads its clipboard', () => page.evaluate<boolean>('window.isAsked'));
    copyOnDevice('copied on the device');
    on.agent.say('ToastNotification', { Message: 'The text was sent.', Severity: 0 });
    await page.getByText('The text was sent.').waitFor();
    await page.evaluate('window.answerNow()');
    await has(page, 'copied on the device');
    await leaveAndReturn(page);
    await copy(page, 'the next one');
    await leaveAndReturn(page);
    await on.agent.hears('ClipboardText', ({ Text }) => Text === 'the next one');
    expect(given()).toEqual(['before', 'the next one']);
  });

  it('says that a page without a secure connection has no clipboard', async (test) => {
    const { page } = await on.open(test);
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    for (const entry of ['Send clipboard to device', 'Type clipboard on device']) {
      await toolOf(page, 'Clipboard').click();
      await page.getByRole('menuitem', { name: entry }).click();
      const said = page.getByText("The browser doesn't let this page use the clipboard.");
      await said.waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await said.waitFor({ state: 'detached' });
    }
    expect(given()).toEqual([]);
  });

  it('says that the browser refuses, and is off then', async (test) => {
    const { page, window } = await on.open(test);
    await toolOf(page, 'Clipboard').click();
    await page.getByRole('menuitemcheckbox', { name: SYNC }).click();
    await page.getByText(/^The clipboards aren't kept in sync: the browser doesn't let this page use yours\./).waitFor();
    await page.getByRole('menuitemcheckbox', { name: SYNC, checked: false }).waitFor();
    await page.keyboard.press('Escape');
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, 'desktop-clipboard-refused');
    await page.reload();
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await toggle(page, 'off', 'stay');
  });

  it('explains where a browser asks before each text', async (test) => {
    const window = await on.choose(test);
    const { page } = window;
    await page.evaluate(`navigator.permissions.query = () => Promise.reject(new TypeError('Unknown permission'))`);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await toolOf(page, 'Clipboard').click();
    const entry = page.getByRole('menuitem', { name: SYNC });
    await entry.getByText('This browser asks before each text. Use Chrome or Edge.').waitFor();
    expect(await entry.getAttribute('aria-disabled')).toBe('true');
  });

  it('says that the agent sends nothing by itself', async (test) => {
    const { page } = await on.open(test);
    await allow(page);
    const figures = (extra: object): void =>
      on.agent.say('CaptureMetricsChanged', { Fps: 1, CaptureMode: 'GDI', CurrentQuality: 75, ExtraData: extra });
    await toggle(page, 'off');
    await takes(true);
    figures({ clipboardSync: 'off' });
    figures({});
    await page.getByText("This device's agent doesn't send what is copied there. Use Copy clipboard from device.").waitFor();
  });

  it('is remembered for the user, not for others, and copies nothing of users who only look', async (test) => {
    const { page } = await on.open(test);
    await allow(page);
    await copy(page, 'once');
    await toggle(page, 'off');
    await on.agent.hears('ClipboardText');
    on.agent.forget();
    await copy(page, 'after the reload');
    await page.reload();
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await takes(true);
    await on.agent.hears('ClipboardText', ({ Text }) => Text === 'after the reload');
    await toggle(page, 'on', 'stay');

    await toolOf(page, 'View only').click();
    await copy(page, 'not for the device');
    copyOnDevice('for the viewer');
    await has(page, 'for the viewer');
    await copy(page, 'not for the device either');
    await page.getByRole('link', { name: 'Overview' }).focus();
    await page.mouse.click(...(await placeOn(page.getByRole('img', { name: /^Desktop of / }), 0.5, 0.5)));
    await toolOf(page, 'View only').click();
    expect(given()).toEqual(['after the reload']);

    await page.evaluate(
      `localStorage.setItem('desktop-clipboard', localStorage.getItem('desktop-clipboard').replace(/"userId":"[^"]*"/, '"userId":"another"'))`,
    );
    await page.reload();
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await toggle(page, 'off', 'stay');
  });

  it('needs the permission for each direction', async (test) => {
    const reader = await on.open(test, { user: await userWith(Permission.DeviceClipboardRead), allowedRefusals: [/^40[13] /] });
    await allow(reader.page);
    await copy(reader.page, 'stays here');
    await toggle(reader.page, 'off');
    await takes(true);
    copyOnDevice('for the reader');
    await has(reader.page, 'for the reader');
    expect(given()).toEqual([]);
    await toolOf(reader.page, 'End').click();
    await eventually('it has ended', () => on.agent.running === 0);

    on.agent.forget();
    const may = [Permission.DeviceRemoteControlInteract, Permission.DeviceClipboardWrite];
    const writer = await on.open(test, { user: await userWith(...may), allowedRefusals: [/^40[13] /] });
    await allow(writer.page);
    await copy(writer.page, 'from the writer');
    await toggle(writer.page, 'off');
    await on.agent.hears('ClipboardText', ({ Text }) => Text === 'from the writer');
    expect(on.agent.all('UpdateCaptureSettings').some(({ ClipboardSync }) => ClipboardSync === true)).toBe(false);
    await toolOf(writer.page, 'End').click();

    const nobody = await on.open(test, { user: await userWith(Permission.DeviceRemoteControlInteract), allowedRefusals: [/^40[13] /] });
    await toolOf(nobody.page, 'Clipboard').click();
    await nobody.page.getByRole('menuitem', { name: 'Type clipboard on device' }).waitFor();
    expect(await nobody.page.getByText(SYNC).count()).toBe(0);
  });

  it('works with a permission that is granted during the session, and with one that ended and came back', async (test) => {
    const tenant = await app.tenantOf(on.administrator);
    const user = await userWith(Permission.DeviceRemoteControlInteract);
    const right = { principal: holder.user(user), permission: Permission.DeviceClipboardRead, scope: at.tenant(tenant) };
    const { page } = await on.open(test, { user, allowedRefusals: [/^40[13] /] });
    await allow(page);
    /** The user comes back to the page after a while. */
    const comeBack = (): Promise<unknown> =>
      page.evaluate(`{
        const now = Date.now;
        Date.now = () => now() + 60_000;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }`);
    const { id } = await grant(app.server, right);
    await comeBack();
    await eventually('the device is asked again', () => on.agent.asked.length === 2);
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await toggle(page, 'off');
    await takes(true);
    copyOnDevice('granted');
    await has(page, 'granted');

    const administrator = await browserOf(app.server, on.administrator);
    await administrator.delete(`/api/v1/permission-assignments/${id}`, { query: { tenantId: tenant.id } });
    await page.getByText("You can't read the clipboard of this device.").waitFor();
    await toolOf(page, 'Clipboard').waitFor();
    await grant(app.server, right);
    await comeBack();
    await eventually('the device is asked once more', () => on.agent.asked.length === 3);
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await toolOf(page, 'Clipboard, in sync').waitFor();
    copyOnDevice('granted again');
    await has(page, 'granted again');
  });
});
