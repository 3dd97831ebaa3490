import { readFile } from 'node:fs/promises';

import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { DeviceActivityKind } from '../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../src/devices/device-activity/device-activity.entity.js';
import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { browserOf } from '../support/callers/browser.js';
import { eventually } from '../support/eventually.js';
import { at, createUser, grant, grantAll, holder } from '../support/fixtures/factories.js';
import { BLUE, DESKTOP, DesktopAgent, DISPLAYS, GREEN, ORANGE, RED } from '../support/stand-ins/desktop-agent.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { boxOf, deviceWithDesktop, LARGE, placeOn, toolOf } from './support/desktop-page.js';
import { AT_ITS_PORT, frontEnd } from './support/front-end.js';
import { twoFrames } from './support/hold.js';
import { PageChecks } from './support/page-checks.js';
import { Picture } from './support/picture.js';
import { storeScreenshot } from './support/screenshots.js';
import { looksLike, playFilm } from './support/video.js';

/*
 * The desktop of a device in a browser, through an agent that was written for this test after the description of the protocol. The service
 * is at its port, so that the agent reaches it as well. Screenshots are stored in test-output/screenshots.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`remote control in a browser${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, AT_ITS_PORT);
  const on = deviceWithDesktop(app);

  const near = (value: unknown, wanted: number): boolean => Math.abs(Number(value) - wanted) < 0.005;

  /** Says what the browser says of a key of any keyboard. */
  async function press(page: Page, key: string, code: string, modifiers = 0): Promise<void> {
    const devTools = await page.context().newCDPSession(page);
    const stroke = { key, code, modifiers, text: [...key].length === 1 ? key : undefined };
    await devTools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...stroke });
    await devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke, text: undefined });
    await devTools.detach();
  }

  it('shows the desktops with a preview, and connects with one click', async (test) => {
    const window = await on.choose(test);
    const { page } = window;
    const desktops = page.getByRole('region', { name: 'Desktops' });
    await desktops.getByText('anna').waitFor();
    await desktops.getByText('1280 × 800').waitFor();
    await page.getByRole('region', { name: 'VNC' }).getByRole('button', { name: 'Connect by VNC' }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, 'desktop-choice');

    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const canvas = page.getByRole('img', { name: /^Desktop of / });
    await eventually('the desktop is drawn', async () => (await Picture.of(canvas)).shows(BLUE, 0.5, 0.5));
    expect(on.agent.asked.at(-1)).toMatchObject({ targetProcessId: 4312, targetSystemSession: 1, requireConsent: false });
    await on.agent.hears(
      'UpdateCaptureSettings',
      ({ MixedFormats, IsAutoQualityEnabled }) => MixedFormats === true && IsAutoQualityEnabled === true,
    );
    await on.agent.hears('RequestKeyFrame');
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, 'desktop-session');
    await toolOf(page, 'End').click();
    await on.agent.hears('CloseRemoteControlSession');
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it('leads from the earlier address of previews', async (test) => {
    const { page } = await on.choose(test);
    await page.goto(`/devices/${on.device.id}/preview?process=4312`);
    await page.getByRole('region', { name: 'Desktops' }).getByText('anna').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/devices/${on.device.id}/screen`);
  });

  it('sends presses, moves and the wheel to their place, also at its own size', async (test) => {
    const { page, canvas } = await on.open(test);
    await page.mouse.click(...(await placeOn(canvas, 0.25, 0.5)), { button: 'right' });
    await on.agent.hears('MouseButtonEvent', ({ Button, IsPressed, NormalizedX, NormalizedY }) => {
      return Button === 2 && IsPressed === true && near(NormalizedX, 0.25) && near(NormalizedY, 0.5);
    });
    await on.agent.hears('MouseButtonEvent', ({ Button, IsPressed }) => Button === 2 && IsPressed === false);
    await eventually('the red square is drawn', async () => (await Picture.of(canvas)).shows(RED, 0.25, 0.5));
    expect((await Picture.of(canvas)).shows(BLUE, 0.3, 0.5)).toBe(true);

    await page.mouse.move(...(await placeOn(canvas, 0.75, 0.125)));
    await on.agent.hears('MovePointer', ({ NormalizedX, NormalizedY }) => near(NormalizedX, 0.75) && near(NormalizedY, 0.125));
    await page.mouse.wheel(0, 120);
    await on.agent.hears('WheelScroll', ({ ScrollX, ScrollY }) => ScrollX === 0 && ScrollY === -120);

    await toolOf(page, 'Actual size').click();
    await eventually('a pixel there is a pixel here', async () => (await canvas.boundingBox())?.width === 1280);
    await page.mouse.click(...(await placeOn(canvas, 0.5, 0.25)));
    await on.agent.hears('MouseButtonEvent', ({ NormalizedX, NormalizedY }) => near(NormalizedX, 0.5) && near(NormalizedY, 0.25));
  });

  it('keeps its own size when the window comes to a screen with smaller pixels', async (test) => {
    const { page, canvas } = await on.open(test);
    await toolOf(page, 'Actual size').click();
    await eventually('a pixel there is a pixel here', async () => (await canvas.boundingBox())?.width === 1280);
    const devTools = await page.context().newCDPSession(page);
    for (const [deviceScaleFactor, colorScheme, width] of [
      [2, 'dark', 640],
      [1, 'light', 1280],
    ] as const) {
      await devTools.send('Emulation.setDeviceMetricsOverride', { ...LARGE, deviceScaleFactor, mobile: false });
      // Of emulated pixels, the browser tells the page with the next change of its media only.
      await page.emulateMedia({ colorScheme });
      await eventually('a pixel there is a pixel here', async () => (await canvas.boundingBox())?.width === width);
    }
  });

  it('sends a moving pointer at most every 25 ms, and its last place', async (test) => {
    const { page, canvas } = await on.open(test);
    const [x, y] = await placeOn(canvas, 0.2, 0.2);
    await page.mouse.move(x, y);
    on.agent.forget();
    await page.evaluate(`{
      const canvas = document.querySelector('main canvas');
      const { left, top } = canvas.getBoundingClientRect();
      for (let at = 0; at < 500; at += 1)
        canvas.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse', clientX: left + at, clientY: top }));
    }`);
    const box = await canvas.boundingBox();
    await on.agent.hears('MovePointer', ({ NormalizedX }) => near(NormalizedX, 499 / (box?.width ?? 1)));
    expect(on.agent.all('MovePointer').length).toBeLessThan(100);
  });

  it('sends the characters of any keyboard, with AltGr, dead keys and input methods', async (test) => {
    const { page, canvas } = await on.open(test);
    await page.mouse.click(...(await placeOn(canvas, 0.5, 0.5)));
    await page.keyboard.press('a');
    await on.agent.hears(
      'KeyEvent',
      ({ Key, Code, IsPressed, InputMode }) => Key === 'a' && Code === 'KeyA' && IsPressed === true && InputMode === 0,
    );
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'a' && IsPressed === false);
    await eventually('the green square is drawn', async () => (await Picture.of(canvas)).shows(GREEN, 0.5, 0.5));

    // A German keyboard on Linux, one on Windows where AltGr is Control and Alt, and a French one.
    const ALT_GR = 3;
    const none = { Control: false, Shift: false, Alt: false, Meta: false };
    for (const [key, code, modifiers] of [
      ['@', 'KeyQ', ALT_GR],
      ['€', 'KeyE', ALT_GR],
      ['~', 'BracketRight', ALT_GR],
      ['\\', 'Minus', 0],
      ['ß', 'Minus', 0],
      ['é', 'Digit2', 0],
      ['^', 'Digit9', ALT_GR],
    ] as const) {
      await press(page, key, code, modifiers);
      await on.agent.hears('KeyEvent', ({ Key, Code, IsPressed }) => Key === key && Code === code && IsPressed === true);
      const pressed = on.agent.all('KeyEvent').find(({ Key, IsPressed }) => Key === key && IsPressed === true);
      expect(pressed?.Modifiers).toEqual(none);
    }
    // A command keeps its modifiers.
    await page.keyboard.press('Control+c');
    await on.agent.hears('KeyEvent', ({ Key, Modifiers }) => Key === 'c' && (Modifiers as typeof none).Control);

    const devTools = await page.context().newCDPSession(page);
    await press(page, 'Dead', 'BracketLeft');
    await devTools.send('Input.imeSetComposition', { text: '´', selectionStart: 1, selectionEnd: 1 });
    await devTools.send('Input.insertText', { text: 'ú' });
    await on.agent.hears('TypeText', ({ Text }) => Text === 'ú');
    await devTools.send('Input.imeSetComposition', { text: 'かん', selectionStart: 2, selectionEnd: 2 });
    await devTools.send('Input.insertText', { text: '漢' });
    await on.agent.hears('TypeText', ({ Text }) => Text === '漢');
    expect(on.agent.all('KeyEvent').filter(({ Key }) => Key === 'Dead')).toEqual([]);
    expect(on.agent.all('TypeText')).toHaveLength(2);
  });

  it('releases keys that are down when the focus leaves, and gives the keys back', async (test) => {
    const { page, canvas } = await on.open(test);
    await page.mouse.click(...(await placeOn(canvas, 0.5, 0.5)));
    await page.keyboard.down('Shift');
    await on.agent.hears('KeyEvent', ({ Key }) => Key === 'Shift');
    await page.keyboard.down('Control');
    await page.keyboard.press('ArrowUp');
    await on.agent.hears('ResetKeyboardState');
    await page.locator('[role=toolbar] button:focus').waitFor();
    expect(on.agent.all('KeyEvent').filter(({ Key }) => Key === 'ArrowUp')).toEqual([]);
    await page.keyboard.up('Control');
    await page.keyboard.up('Shift');
  });

  it('sends nothing while the user only looks', async (test) => {
    const { page, canvas } = await on.open(test);
    await toolOf(page, 'View only').click();
    await on.agent.hears('UpdateCaptureSettings', ({ CaptureCursor }) => CaptureCursor === true);
    on.agent.forget();
    await page.mouse.click(...(await placeOn(canvas, 0.3, 0.3)));
    await page.keyboard.press('a');
    await toolOf(page, 'View only').click();
    await page.mouse.click(...(await placeOn(canvas, 0.6, 0.6)));
    await on.agent.hears('MouseButtonEvent');
    expect(near(on.agent.all('MouseButtonEvent')[0]?.NormalizedX, 0.6)).toBe(true);
    expect(on.agent.all('KeyEvent')).toEqual([]);
  });

  it('shows the pointer of the device', async (test) => {
    const { page } = await on.open(test);
    const cursor = (): Promise<string> => page.evaluate(`getComputedStyle(document.querySelector('main canvas')).cursor`);
    on.agent.say('CursorChanged', {
      Cursor: 2,
      CustomCursorBase64Png: null,
      XHotspot: 0,
      YHotspot: 0,
      SessionId: on.agent.asked.at(-1)?.sessionId,
    });
    await eventually('it is over a text', async () => (await cursor()) === 'text');
  });

  it('goes on after pictures that are none, and asks for the whole display again', async (test) => {
    const { page, canvas } = await on.open(test);
    on.agent.forget();
    on.agent.paintNonsense();
    await on.agent.hears('RequestKeyFrame');
    await page.mouse.click(...(await placeOn(canvas, 0.5, 0.5)));
    await eventually('the red square is drawn', async () => (await Picture.of(canvas)).shows(RED, 0.5, 0.5));
  });

  it('says that the person at the device ended it, and connects again', async (test) => {
    const { page, canvas } = await on.open(test);
    on.agent.say('SessionDisconnectRequested');
    await page.getByText('The person at the device ended the session.').waitFor();
    await on.agent.hears('CloseRemoteControlSession');
    await storeScreenshot(page, 'desktop-ended');
    await page.getByRole('button', { name: 'Connect again' }).click();
    await eventually('the desktop is drawn', async () => (await Picture.of(canvas)).shows(BLUE, 0.5, 0.5));
    await page.getByText('The person at the device ended the session.').waitFor({ state: 'detached' });
  });

  it('stays ended when the device that says so closes the line at once', async (test) => {
    const { page } = await on.open(test);
    // A page that is busy hears of both at a time.
    const isDone = page.evaluate('{ const until = performance.now() + 1000; while (performance.now() < until); }');
    on.agent.say('SessionDisconnectRequested');
    on.agent.leave();
    await isDone;
    await page.getByText('The person at the device ended the session.').waitFor();
    await twoFrames(page);
    expect(await page.getByText(/Reconnecting/).count()).toBe(0);
    await page.getByText('The person at the device ended the session.').waitFor();
  });

  it('stays ended when its first picture is drawn after the end', async (test) => {
    on.agent.paints = false;
    on.agent.displays = [{ id: 'large', width: 2000, height: 2000, colour: BLUE }];
    const { page } = await on.choose(test);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await on.agent.hears('RequestKeyFrame');
    on.agent.paint();
    on.agent.say('SessionDisconnectRequested');
    await page.getByText('The person at the device ended the session.').waitFor();
    // A picture of that size that is decoded later.
    await page.workers()[0].evaluate(`(async () => {
      const canvas = new OffscreenCanvas(2000, 2000);
      canvas.getContext('2d').fillRect(0, 0, 1000, 1000);
      (await createImageBitmap(await canvas.convertToBlob())).close();
    })()`);
    on.agent.paints = true;
    await page.getByRole('button', { name: 'Connect again' }).click();
    await page.locator('canvas:not([data-last-picture])').waitFor();
  });

  it('leaves nothing behind when it is closed after the device has closed the line', async (test) => {
    const { page } = await on.open(test);
    expect(page.workers()).toHaveLength(1);
    on.agent.say('WindowsSessionSwitched');
    on.agent.leave();
    await page.getByRole('button', { name: 'View desktops' }).click();
    await eventually('the worker of the desktop has ended', () => page.workers().length === 0);
  });

  it('says that the Windows session ends, and what the device says', async (test) => {
    const { page } = await on.open(test);
    on.agent.say('ToastNotification', { Message: 'Updates are being installed.', Severity: 0 });
    await page.getByText('Updates are being installed.').waitFor();
    on.agent.say('WindowsSessionEnding');
    on.agent.leave();
    await page.getByText('The user signed out of Windows, or the device is restarting.').waitFor();
    await page.getByRole('button', { name: 'Connect again' }).click();
    await toolOf(page, 'Actual size').waitFor();
    await eventually('the device is asked again', () => on.agent.asked.length === 2);
    await page.locator('canvas:not([data-last-picture])').waitFor();
    on.agent.say('RemoteControlSessionError', { Message: 'The display went away.', IsFatal: true });
    await page.getByRole('alert').getByText('The display went away.').waitFor();
    await page.getByRole('button', { name: 'View desktops' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it('comes back by itself after a lost line, and shows the last picture dimmed until then', async (test) => {
    const { page, canvas } = await on.open(test, { allowedRefusals: [/^lost WebSocket /] });
    // The line comes back after 3 s, but no other picture until this one has been looked at.
    on.agent.paints = false;
    on.agent.vanish();
    await page.getByText('Connection lost. Reconnecting (1 of 5)').waitFor();
    expect(await canvas.getAttribute('data-last-picture')).not.toBeNull();
    expect((await Picture.of(canvas)).shows(BLUE, 0.5, 0.5)).toBe(false);
    await storeScreenshot(page, 'desktop-lost');
    on.agent.paints = true;
    on.agent.paint();
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await eventually('the desktop is drawn', async () => (await Picture.of(canvas)).shows(BLUE, 0.5, 0.5));
    expect(on.agent.asked.map(({ sessionId }) => sessionId)).toHaveLength(2);
    expect(new Set(on.agent.asked.map(({ sessionId }) => sessionId)).size).toBe(2);
    await page.mouse.click(...(await placeOn(canvas, 0.4, 0.4)));
    await eventually('the red square is drawn', async () => (await Picture.of(canvas)).shows(RED, 0.4, 0.4));
  });

  it('leaves the focus where the user types when it comes back', async (test) => {
    const { page } = await on.open(test, { allowedRefusals: [/^lost WebSocket /] });
    on.agent.vanish();
    await page.getByText('Connection lost. Reconnecting (1 of 5)').waitFor();
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Go to device/ })
      .click();
    const search = page.getByRole('dialog').getByRole('combobox');
    await search.pressSequentially('work');
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await page.keyboard.type('shop');
    expect(await search.inputValue()).toBe('workshop');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([...on.agent.all('KeyEvent'), ...on.agent.all('TypeText')]).toEqual([]);
  });

  it('is there again on other pages and after a reload', async (test) => {
    const { page, canvas } = await on.open(test, { allowedRefusals: [/^lost WebSocket /] });
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Operating system').waitFor();
    await page.reload();
    await page
      .getByRole('complementary', { name: 'Sessions' })
      .getByRole('link', { name: /Desktop of anna ?running/ })
      .click();
    await eventually('the desktop is drawn', async () => (await Picture.of(canvas)).shows(BLUE, 0.5, 0.5));
    await page.mouse.click(...(await placeOn(canvas, 0.4, 0.4)));
    await on.agent.hears('MouseButtonEvent');
    await toolOf(page, 'End').click();
    await page.getByRole('complementary', { name: 'Sessions' }).waitFor({ state: 'detached' });
  });

  it('says that the device refused, and why', async (test) => {
    on.agent.refusal = 'The screen is locked.';
    const { page } = await on.choose(test);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('alert').getByText('The screen is locked.').waitFor();
    on.agent.refusal = null;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('canvas:not([data-last-picture])').waitFor();
  });

  it('presses Ctrl+Alt+Del through the service', async (test) => {
    const { page } = await on.open(test);
    await toolOf(page, 'Send keys').click();
    await page.getByRole('menuitem', { name: 'Ctrl+Alt+Del' }).click();
    await eventually('the device is asked', () => on.agent.ctrlAltDels.length === 1);
    expect(on.agent.ctrlAltDels[0]).toMatchObject({ targetDesktopProcessId: 4312, desktopSessionType: 0 });
  });

  it('sends keys that the browser keeps to itself', async (test) => {
    const { page } = await on.open(test);
    await toolOf(page, 'Send keys').click();
    await storeScreenshot(page, 'desktop-keys');
    await page.getByRole('menuitem', { name: 'Alt+Tab' }).click();
    const strokes = () =>
      on.agent.all('KeyEvent').map(({ Code, IsPressed, Modifiers }) => [Code, IsPressed, (Modifiers as { Alt: boolean }).Alt]);
    await eventually('the keys have arrived', () => strokes().length === 4);
    expect(strokes()).toEqual([
      ['AltLeft', true, true],
      ['Tab', true, true],
      ['Tab', false, true],
      ['AltLeft', false, false],
    ]);
  });

  it('fills the screen, with its menus', async (test) => {
    const { page, canvas } = await on.open(test);
    await toolOf(page, 'Full screen').click();
    await eventually('the picture is as wide as the screen lets it', async () => Number((await canvas.boundingBox())?.height) > 900);
    await toolOf(page, 'Send keys').click();
    await page.getByRole('menuitem', { name: 'Win+R' }).click();
    await on.agent.hears('KeyEvent', ({ Code, IsPressed }) => Code === 'KeyR' && IsPressed === false);
    await storeScreenshot(page, 'desktop-full');
    await toolOf(page, 'Full screen').click();
    await eventually('the page is there again', async () => Number((await canvas.boundingBox())?.height) < 900);
  });

  it('switches between displays as they stand beside each other', async (test) => {
    const { page, canvas, window } = await on.open(test);
    await toolOf(page, 'Displays').click();
    const first = page.getByRole('button', { name: 'Display 1, 1280 × 800' });
    const second = page.getByRole('button', { name: 'Display 2, 640 × 480' });
    expect(await first.getAttribute('aria-pressed')).toBe('true');
    const [left, right] = [await first.boundingBox(), await second.boundingBox()];
    expect(right?.x).toBeGreaterThanOrEqual((left?.x ?? 0) + (left?.width ?? 0) - 1);
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, 'desktop-displays');
    await second.click();
    await on.agent.hears('ChangeDisplays', ({ DisplayId }) => DisplayId === 'right');
    await eventually('the second display is drawn', async () => (await Picture.of(canvas)).shows(ORANGE, 0.5, 0.5));
    await page.mouse.click(...(await placeOn(canvas, 0.75, 0.25)));
    await eventually('the red square is drawn', async () => (await Picture.of(canvas)).shows(RED, 0.75, 0.25));

    await toolOf(page, 'Actual size').click();
    await eventually('it has its own size', async () => (await canvas.boundingBox())?.width === 640);
  });

  /** Opens the second display in a window of its own. */
  async function openOwnWindow(page: Page): Promise<{ own: Page; ownCanvas: Locator }> {
    const opened = page.context().waitForEvent('page');
    await toolOf(page, 'Displays').click();
    await page.getByRole('button', { name: 'Open Display 2 in its own window' }).click();
    const own = await opened;
    const ownCanvas = own.getByRole('img', { name: /^Desktop of / });
    await eventually('the second display is drawn', async () => (await Picture.of(ownCanvas)).shows(ORANGE, 0.5, 0.5));
    return { own, ownCanvas };
  }

  it('shows each display in a window of its own, with a session of its own', async (test) => {
    const { page, canvas, window } = await on.open(test);
    const { own, ownCanvas } = await openOwnWindow(page);
    expect(await own.title()).toMatch(/^Display 2 · workshop-pc · /);
    await own.getByRole('heading', { name: 'Display 2 · workshop-pc' }).waitFor();
    expect(await own.getByRole('navigation').count()).toBe(0);
    expect(await toolOf(own, 'Displays').count()).toBe(0);
    const ownChecks = await PageChecks.of(own);
    await ownChecks.enter();
    expect(await ownChecks.accessibility()).toEqual([]);
    await storeScreenshot(own, 'desktop-own-window');

    // Both are controlled, each by itself.
    await own.mouse.click(...(await placeOn(ownCanvas, 0.75, 0.25)));
    await eventually('the red square is drawn', async () => (await Picture.of(ownCanvas)).shows(RED, 0.75, 0.25));
    await page.mouse.click(...(await placeOn(canvas, 0.75, 0.25)));
    await eventually('the red square is drawn', async () => (await Picture.of(canvas)).shows(RED, 0.75, 0.25));
    expect((await Picture.of(canvas)).shows(BLUE, 0.5, 0.5)).toBe(true);
    expect(new Set(on.agent.asked.map(({ sessionId }) => sessionId)).size).toBe(2);
    expect(on.agent.running).toBe(2);

    // The page says where the display is, also after a reload.
    await toolOf(page, 'Displays').click();
    await page.getByText('In its own window').waitFor();
    await page.getByRole('button', { name: 'Go to the window of Display 2' }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, 'desktop-displays-elsewhere');
    await page.reload();
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await eventually('both run', () => on.agent.running === 2);
    await toolOf(page, 'Displays').click();
    await page.getByText('In its own window').waitFor();

    // The window comes back to its display after a reload, and its session ends with it.
    await own.reload();
    await eventually('the second display is drawn', async () => (await Picture.of(ownCanvas)).shows(ORANGE, 0.5, 0.5));
    await own.close();
    await eventually('its session has ended', () => on.agent.running === 1);
    await page.getByText('In its own window').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open Display 2 in its own window' }).waitFor();
  });

  it('closes the window of a display when the user ends its session there', async (test) => {
    const { page } = await on.open(test);
    const { own } = await openOwnWindow(page);
    const closed = own.waitForEvent('close');
    // The window may be closed before the browser has answered the click.
    await Promise.any([toolOf(own, 'End').click(), closed]);
    await closed;
    await eventually('its session has ended', () => on.agent.running === 1);
  });

  it('offers a display again whose window has recorded and is still there', async (test) => {
    const { page } = await on.open(test);
    const { own } = await openOwnWindow(page);
    await chooseMore(own, 'Start recording');
    await own.getByRole('button', { name: /^Stop recording/ }).waitFor();
    await toolOf(own, 'End').click();
    await own.getByText('This window shows no display').waitFor();
    await toolOf(page, 'Displays').click();
    await page.getByRole('button', { name: 'Open Display 2 in its own window' }).waitFor();
  });

  it('says that the browser blocks a new window', async (test) => {
    const { page } = await on.open(test);
    await page.evaluate('window.open = () => null');
    await toolOf(page, 'Displays').click();
    await page.getByRole('button', { name: 'Open Display 2 in its own window' }).click();
    await page.getByText('The browser blocked the new window. Allow pop-ups for this site and try again.').waitFor();
  });

  it('shows nothing in a window whose display this browser does not know', async (test) => {
    const window = await app.open(test, { user: on.administrator });
    await window.goTo(`/devices/${on.device.id}/screen?alone=019a5b3c-0000-7000-8000-000000000001`);
    await window.page.getByText('This window shows no display').waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await window.page.getByRole('link', { name: 'View desktops' }).click();
    await window.page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  });

  it('says that a display is gone, and shows another one', async (test) => {
    const { page } = await on.open(test);
    const { own, ownCanvas } = await openOwnWindow(page);
    on.agent.changeDisplays(DISPLAYS.slice(0, 1));
    await own.getByText('Display 2 is gone. Display 1 is shown instead.').waitFor();
    await eventually('the first display is drawn', async () => (await Picture.of(ownCanvas)).shows(BLUE, 0.5, 0.5));
    await own.getByRole('heading', { name: 'Display 1 · workshop-pc' }).waitFor();
    expect(await page.getByText(/ is gone\. /).count()).toBe(0);
  });

  it('stays with the display that took the place of another one when that is back', async (test) => {
    const { page, canvas } = await on.open(test);
    await toolOf(page, 'Displays').click();
    await page.getByRole('button', { name: 'Display 2, 640 × 480' }).click();
    await on.agent.hears('ChangeDisplays');
    await eventually('the second display is drawn', async () => (await Picture.of(canvas)).shows(ORANGE, 0.5, 0.5));
    on.agent.changeDisplays(DISPLAYS.slice(0, 1));
    await page.getByText('Display 2 is gone. Display 1 is shown instead.').waitFor();
    on.agent.changeDisplays(DISPLAYS);
    on.agent.say('ToastNotification', { Message: 'The display is back.', Severity: 0 });
    await page.getByText('The display is back.').waitFor();
    await toolOf(page, 'Displays').click();
    await page.getByRole('button', { name: /^Display 1/, pressed: true }).waitFor();
    const { width, height } = await boxOf(canvas);
    expect(near(width / height, DISPLAYS[0].width / DISPLAYS[0].height)).toBe(true);
  });

  it('asks for the chosen quality, and shows figures', async (test) => {
    const { page } = await on.open(test);
    await page.getByText(/\d+ frames\/s · \d+\.\d Mbit\/s · \d+ ms/).waitFor();
    await toolOf(page, 'Quality').click();
    await page.getByRole('menuitemcheckbox', { name: 'Sharp' }).click();
    await on.agent.hears(
      'UpdateCaptureSettings',
      ({ IsAutoQualityEnabled, ManualQuality }) => IsAutoQualityEnabled === false && ManualQuality === 95,
    );
    await storeScreenshot(page, 'desktop-quality');
  });

  it('shares the clipboard both ways, and types it', async (test) => {
    const { page } = await on.open(test);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const use = async (name: string): Promise<void> => {
      await toolOf(page, 'Clipboard').click();
      await page.getByRole('menuitem', { name }).click();
    };
    on.agent.clipboard = 'from the device: ö €';
    await use('Copy clipboard from device');
    await page.getByText('Clipboard copied from the device').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('from the device: ö €');

    await page.evaluate(`navigator.clipboard.writeText('from the browser: ä 漢')`);
    await use('Send clipboard to device');
    await on.agent.hears(
      'ClipboardText',
      ({ Text, SessionId }) => Text === 'from the browser: ä 漢' && SessionId === on.agent.asked.at(-1)?.sessionId,
    );
    await use('Type clipboard on device');
    await on.agent.hears('TypeText', ({ Text }) => Text === 'from the browser: ä 漢');

    on.agent.clipboard = '';
    await use('Copy clipboard from device');
    await page.getByText("The device's clipboard has no text.").waitFor();
  });

  it('saves a screenshot in the size of the display', async (test) => {
    const { page } = await on.open(test);
    const download = page.waitForEvent('download');
    await toolOf(page, 'More tools').click();
    await page.getByRole('menuitem', { name: 'Save screenshot' }).waitFor();
    await storeScreenshot(page, 'desktop-more');
    await page.getByRole('menuitem', { name: 'Save screenshot' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^workshop-pc \d{4}-\d\d-\d\dT.*\.png$/);
    const bytes = await readFile(await file.path());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1280, 800]);
  });

  const chooseMore = async (page: Page, name: string): Promise<void> => {
    await toolOf(page, 'More tools').click();
    await page.getByRole('menuitem', { name }).click();
  };

  it('records the desktop, names it in the activity, and saves it when the user stops', async (test) => {
    const { page, window, canvas } = await on.open(test);
    await chooseMore(page, 'Start recording');
    const mark = page.getByRole('button', { name: /^Stop recording/ });
    await page.getByRole('button', { name: /^Stop recording ?0:0[2-9]/ }).waitFor();
    await page.mouse.click(...(await placeOn(canvas, 0.25, 0.5)));
    await eventually('the red square is drawn', async () => (await Picture.of(canvas)).shows(RED, 0.25, 0.5));
    const seconds = async (): Promise<number> => Number(/(\d+)\s*$/.exec(await mark.innerText())?.[1]);
    const from = await seconds();
    await eventually('the red square is recorded', async () => (await seconds()) >= from + 2);
    expect(await window.check.accessibility()).toEqual([]);
    expect(await boxOf(mark.locator('[data-dot]'))).toMatchObject({ width: 10, height: 10 });
    await storeScreenshot(page, 'desktop-recording');
    const sessionId = on.agent.asked.at(-1)?.sessionId ?? '';
    const records = () => app.server.dataSource.manager.findBy(DeviceActivity, { subject: sessionId, kind: DeviceActivityKind.Recording });
    expect(await records()).toMatchObject([{ endedAt: null }]);

    const download = page.waitForEvent('download');
    await mark.click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^workshop-pc \d{4}-\d\d-\d\dT.*\.webm$/);
    await page.getByText('Recording saved', { exact: true }).waitFor();
    await mark.waitFor({ state: 'detached' });
    await eventually('its end is noted', async () => (await records()).every(({ endedAt }) => endedAt !== null));
    const bytes = await readFile(await file.path());
    expect([...bytes.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    const browser = page.context().browser();
    if (browser === null) throw new Error('The page has no browser.');
    const film = await playFilm(browser, bytes, 0.25, 0.5);
    expect(film).toMatchObject({ width: 1280, height: 800 });
    const [first = 0] = film.colours;
    expect(looksLike(first, BLUE)).toBe(true);
    expect(looksLike(film.colours.at(-1) ?? 0, RED)).toBe(true);

    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('Recorded a desktop').first().waitFor();
    await page.goto('/change-log');
    await page
      .getByText(/stopped recording the desktop of device/)
      .first()
      .waitFor();
  });

  it('records nothing when the session ends before the service has noted the recording', async (test) => {
    const { page } = await on.open(test);
    await page.evaluate(`{
      const { MediaRecorder } = window;
      window.recorders = 0;
      window.MediaRecorder = class extends MediaRecorder {
        constructor(...given) {
          super(...given);
          window.recorders += 1;
        }
      };
    }`);
    let answer = (): void => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/recordings/, async (route) => {
      const response = await route.fetch();
      await mayAnswer;
      await route.fulfill({ response });
    });
    const asked = page.waitForRequest(/recordings/);
    await chooseMore(page, 'Start recording');
    const request = await asked;
    await eventually('the recording is noted', () =>
      app.server.dataSource.manager.existsBy(DeviceActivity, {
        subject: on.agent.asked.at(-1)?.sessionId ?? '',
        kind: DeviceActivityKind.Recording,
      }),
    );
    await toolOf(page, 'End').click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    answer();
    await request.response();
    await twoFrames(page);
    expect(await page.evaluate('window.recorders')).toBe(0);
  });

  it('saves a recording when the session ends, and at its limit', async (test) => {
    const { page } = await on.open(test);
    await chooseMore(page, 'Start recording');
    await page.getByRole('button', { name: /^Stop recording ?0:0[2-9]/ }).waitFor();
    const ended = page.waitForEvent('download');
    on.agent.say('SessionDisconnectRequested');
    await page.getByText('Recording saved. The session ended.').waitFor();
    expect((await readFile(await (await ended).path())).length).toBeGreaterThan(100);
    const again = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save again' }).click();
    await again;

    await page.getByRole('button', { name: 'Connect again' }).click();
    await page.locator('canvas:not([data-last-picture])').waitFor();
    await chooseMore(page, 'Start recording');
    await page.getByRole('button', { name: /^Stop recording ?0:0[2-9]/ }).waitFor();
    const atLimit = page.waitForEvent('download');
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 7_200_000; }');
    await page.getByText('Recording saved. It reached the limit of 2 hours or 2 GB.').waitFor();
    await atLimit;
  });

  it('goes on recording after a lost line, and names the session that follows', async (test) => {
    const { page } = await on.open(test, { allowedRefusals: [/^lost WebSocket /] });
    await chooseMore(page, 'Start recording');
    await page.getByRole('button', { name: /^Stop recording/ }).waitFor();
    on.agent.vanish();
    await eventually('the session that follows is named', async () => {
      const where = { subject: on.agent.asked.at(-1)?.sessionId, kind: DeviceActivityKind.Recording };
      return on.agent.asked.length === 2 && (await app.server.dataSource.manager.findBy(DeviceActivity, where)).length === 1;
    });
    const download = page.waitForEvent('download');
    await toolOf(page, 'End').click();
    await download;
    await page.getByText('Recording saved. The session ended.').waitFor();
  });

  it('says where the browser cannot record', async (test) => {
    const { page } = await on.open(test);
    await page.evaluate('delete window.MediaRecorder');
    await chooseMore(page, 'Start recording');
    await page.getByText("This browser can't record. Use a current Chrome, Edge or Firefox.").waitFor();
  });

  it('blocks input and blanks the screen of a Windows device', async (test) => {
    await on.link.heartbeat({ platform: 1 });
    test.onTestFinished(async () => void (await on.link.heartbeat()));
    const { page } = await on.open(test);
    await toolOf(page, 'More tools').click();
    await page.getByRole('menuitemcheckbox', { name: 'Block input on the device' }).click();
    await on.agent.hears('ToggleBlockInput', ({ IsEnabled }) => IsEnabled === true);
    await page.getByRole('menuitemcheckbox', { name: 'Block input on the device', checked: true }).waitFor();
    await page.getByRole('menuitemcheckbox', { name: 'Blank the screen of the device' }).click();
    await on.agent.hears('TogglePrivacyScreen', ({ IsEnabled }) => IsEnabled === true);
    await page.getByRole('menuitemcheckbox', { name: 'Blank the screen of the device', checked: true }).waitFor();
  });

  it('says where there is no desktop, and finds one later', async (test) => {
    on.agent = new DesktopAgent(on.link, []);
    const { page } = await on.choose(test);
    await page.getByText('No desktop available').waitFor();
    await storeScreenshot(page, 'desktop-none');
    on.agent = new DesktopAgent(on.link);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('anna').waitFor();
  });

  it('offers each of several desktops by its name', async (test) => {
    on.agent = new DesktopAgent(on.link, [
      DESKTOP,
      { ...DESKTOP, processId: 77, username: '', name: 'RDP-Tcp#1' } as unknown as typeof DESKTOP,
    ]);
    const window = await on.choose(test);
    const { page } = window;
    await page.getByRole('button', { name: 'Connect to Nobody signed in · RDP-Tcp#1' }).click();
    await eventually('that one is asked for', () => on.agent.asked.at(-1)?.targetProcessId === 77);
  });

  it('only shows a desktop to users who may not control it, and says why', async (test) => {
    const tenant = await app.tenantOf(on.administrator);
    const user = await createUser(app.server, { tenantId: tenant.id });
    const may = [Permission.DeviceRead, Permission.DeviceOverviewRead];
    await grantAll(app.server, holder.user(user), may, at.tenant(tenant));
    const right = { principal: holder.user(user), permission: Permission.DeviceRemoteControlConnect, scope: at.tenant(tenant) };
    const assignment = await grant(app.server, right);
    const { page, canvas, window } = await on.open(test, { user, allowedRefusals: [/^40[13] /, /^lost WebSocket /] });
    await page.getByText("View only: you don't have permission to control this device.").waitFor();
    expect(await page.getByRole('link', { name: 'See why' }).getAttribute('href')).toContain('device.remote-control.interact');
    expect(await toolOf(page, 'View only').isDisabled()).toBe(true);
    for (const name of ['Send keys', 'Clipboard']) expect(await toolOf(page, name).count()).toBe(0);
    await on.agent.hears('UpdateCaptureSettings', ({ CaptureCursor }) => CaptureCursor === true);
    await page.mouse.click(...(await placeOn(canvas, 0.4, 0.4)));
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, 'desktop-view-only');

    // The right to see it ends, there and in the window of a display.
    const { own, ownCanvas } = await openOwnWindow(page);
    await own.getByText("View only: you don't have permission to control this device.").waitFor();
    const path = `/api/v1/permission-assignments/${assignment.id}`;
    await (await browserOf(app.server, on.administrator)).delete(path, { query: { tenantId: tenant.id } });
    await page.getByText('No access').waitFor();
    expect(await canvas.isVisible()).toBe(false);
    await own.getByText('No access').waitFor();
    expect(await ownCanvas.isVisible()).toBe(false);
    await eventually('both have ended', () => on.agent.running === 0);
    expect(on.agent.all('MouseButtonEvent')).toEqual([]);
  });

  it('shows previews to users who may not connect', async (test) => {
    const tenant = await app.tenantOf(on.administrator);
    const user = await createUser(app.server, { tenantId: tenant.id });
    const may = [Permission.DeviceRead, Permission.DeviceDesktopPreviewRead];
    await grantAll(app.server, holder.user(user), may, at.tenant(tenant));
    const window = await on.choose(test, { user, allowedRefusals: [/^403 /] });
    const { page } = window;
    await page.getByText('You can see previews of this device, but not connect to it.').waitFor();
    const picture = page.getByRole('img', { name: /^Desktop of / });
    await eventually('the preview is shown', async () => (await Picture.of(picture)).shows(BLUE, 0.5, 0.5));
    expect(await page.getByRole('button', { name: 'Connect' }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'VNC' }).count()).toBe(0);
    expect(await window.check.accessibility()).toEqual([]);
  });

  it('waits for the person at the device, and says that they did not agree', async (test) => {
    on.agent.agrees = false;
    const { page } = await on.choose(test, { allowedRefusals: [/WebSocket \/relay/] });
    await page.getByRole('checkbox', { name: /Ask the person at the device first/ }).check();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Waiting for the person at the device to agree…').waitFor();
    expect(on.agent.asked.at(-1)?.requireConsent).toBe(true);
    await page.getByText("The person at the device declined or didn't answer.").waitFor();
  });

  it.for(['light', 'dark'] as const)('has its looks on a phone (%s)', async (colorScheme, test) => {
    const { page, window } = await on.open(test, { viewport: { width: 390, height: 844 }, colorScheme });
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, `desktop-phone-${colorScheme}`);
    await toolOf(page, 'End').click();
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
    await window.untilStill();
    await storeScreenshot(page, `desktop-phone-choice-${colorScheme}`);
  });
});
