import type { CDPSession, Locator, Page } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';

import { agentClient } from '#libs/contracts';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { browserOf } from '../support/callers/browser.js';
import { eventually } from '../support/eventually.js';
import { at, createUser, grant, grantAll, holder } from '../support/fixtures/factories.js';
import { RED } from '../support/stand-ins/desktop-agent.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { boxOf, type DesktopPage, deviceWithDesktop, placeOn, toolOf } from './support/desktop-page.js';
import { Fingers } from './support/fingers.js';
import { AT_ITS_PORT, frontEnd, type WindowOptions } from './support/front-end.js';
import { Picture } from './support/picture.js';
import { storeScreenshot } from './support/screenshots.js';

/*
 * The desktop of a device on a phone, by fingers. Screenshots are stored in test-output/screenshots.
 */

const PHONE = { width: 390, height: 844 };

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

interface Shown extends DesktopPage {
  readonly fingers: Fingers;
}

suite(`remote control by fingers${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, AT_ITS_PORT);
  const on = deviceWithDesktop(app);

  /** A phone with the desktop of the device on it. */
  async function open(test: TestContext, options: WindowOptions = {}): Promise<Shown> {
    const shown = await on.open(test, { viewport: PHONE, hasTouch: true, isMobile: true, ...options });
    return { ...shown, fingers: await Fingers.of(shown.page) };
  }

  const near = (value: unknown, wanted: number): boolean => Math.abs(Number(value) - wanted) < 0.01;

  /** Presses and releases of buttons with their places, such as `+0 0.5 0.2`. */
  const presses = (): string[] =>
    on.agent
      .all('MouseButtonEvent')
      .map(
        ({ Button, IsPressed, NormalizedX, NormalizedY }) =>
          `${IsPressed === true ? '+' : '-'}${String(Button)} ${Number(NormalizedX).toFixed(1)} ${Number(NormalizedY).toFixed(1)}`,
      );

  it('clicks with a tap, and twice with a double tap, without a keyboard', async (test) => {
    const { page, canvas, fingers } = await open(test);
    await fingers.tap(await placeOn(canvas, 0.3, 0.5));
    await eventually('the red square is drawn', async () => (await Picture.of(canvas)).shows(RED, 0.3, 0.5));
    expect(presses()).toEqual(['+0 0.3 0.5', '-0 0.3 0.5']);
    expect(await page.evaluate('document.activeElement.inputMode')).toBe('none');

    on.agent.forget();
    await fingers.doubleTap(await placeOn(canvas, 0.7, 0.5));
    await eventually('it has clicked twice', () => presses().length === 4);
    const [first, , second] = on.agent.all('MouseButtonEvent');
    expect(second).toEqual(first);
  });

  it('clicks right with a long press, which it marks, and with two fingers', async (test) => {
    const { page, canvas, fingers } = await open(test);
    await fingers.down(await placeOn(canvas, 0.3, 0.5));
    const mark = page.locator('[data-held]');
    await mark.waitFor();
    expect(presses()).toEqual([]);
    await storeScreenshot(page, 'desktop-touch-held');
    await fingers.up();
    await eventually('it has clicked', () => presses().length === 2);
    expect(presses()).toEqual(['+2 0.3 0.5', '-2 0.3 0.5']);
    expect(await mark.count()).toBe(0);

    on.agent.forget();
    await fingers.tap(await placeOn(canvas, 0.6, 0.5), await placeOn(canvas, 0.8, 0.5));
    await eventually('it has clicked', () => presses().length === 2);
    expect(presses()).toEqual(['+2 0.6 0.5', '-2 0.6 0.5']);
  });

  it('drags after a long press', async (test) => {
    const { page, canvas, fingers } = await open(test);
    const [from, to] = [await placeOn(canvas, 0.2, 0.2), await placeOn(canvas, 0.8, 0.6)];
    await fingers.down(from);
    await page.locator('[data-held]').waitFor();
    await fingers.move({ from, to });
    await on.agent.hears('MovePointer', ({ NormalizedX }) => near(NormalizedX, 0.8));
    expect(presses()).toEqual(['+0 0.2 0.2']);
    await fingers.up();
    await eventually('the button is released', () => presses().length === 2);
    expect(presses()[1]).toBe('-0 0.8 0.6');
  });

  it('turns the wheel with two fingers: the contents go with them', async (test) => {
    const { canvas, fingers } = await open(test);
    const [[x, y], [other]] = [await placeOn(canvas, 0.3, 0.9), await placeOn(canvas, 0.6, 0.9)];
    await fingers.drag({ from: [x, y], to: [x, y - 80] }, { from: [other, y], to: [other, y - 80] });
    await on.agent.hears('WheelScroll');
    const scrolled = on.agent.all('WheelScroll').reduce((sum, { ScrollY }) => sum + Number(ScrollY), 0);
    // Pixels of the device: the picture is smaller than its display.
    expect(scrolled).toBeLessThan(-150);
    expect(presses()).toEqual([]);
  });

  it('enlarges the picture with two fingers up to four times, and moves it within its bounds', async (test) => {
    const { page, canvas, fingers } = await open(test);
    const small = await boxOf(canvas);
    const [x, y] = await placeOn(canvas, 0.5, 0.5);
    const pinch = (from: number, to: number) =>
      fingers.drag({ from: [x - from, y], to: [x - to, y] }, { from: [x + from, y], to: [x + to, y] });
    await pinch(30, 80);
    await eventually('it is larger', async () => (await boxOf(canvas)).width > small.width * 1.8);
    const large = await boxOf(canvas);
    // What was between the fingers still is.
    expect(Math.abs((x - large.x) / large.width - 0.5)).toBeLessThan(0.03);
    await storeScreenshot(page, 'desktop-touch-zoomed');
    await fingers.tap([x, y]);
    await eventually('it has clicked', () => presses().length === 2);
    expect(presses()[0]).toBe('+0 0.5 0.5');

    // One finger moves it now, and not the pointer.
    on.agent.forget();
    await fingers.drag({ from: [x, y], to: [x - 60, y] });
    await eventually('it has moved', async () => (await boxOf(canvas)).x < large.x - 30);
    await fingers.drag({ from: [x - 150, y], to: [x + 150, y] });
    await fingers.drag({ from: [x - 150, y], to: [x + 150, y] });
    await fingers.drag({ from: [x - 150, y], to: [x + 150, y] });
    await eventually('its edge stays at that of its place', async () => Math.abs((await boxOf(canvas)).x - small.x) < 2);
    expect(on.agent.all('MovePointer')).toEqual([]);

    await pinch(20, 150);
    await pinch(20, 150);
    await eventually('it is four times as large', async () => Math.abs((await boxOf(canvas)).width / small.width - 4) < 0.05);
    await pinch(180, 20);
    await pinch(180, 20);
    await eventually('it fits again', async () => Math.abs((await boxOf(canvas)).width - small.width) < 1);
    // A tap at a place that the enlarged picture had elsewhere.
    await fingers.tap(await placeOn(canvas, 0.2, 0.5));
    await eventually('it has clicked', () => presses().length === 2);
    expect(presses()[0]).toBe('+0 0.2 0.5');
  });

  it('moves a pointer as a trackpad does, which this browser remembers', async (test) => {
    const { page, canvas, fingers } = await open(test);
    await toolOf(page, 'Use as trackpad').tap();
    const pointer = page.locator('[data-pointer]');
    await pointer.waitFor();
    await on.agent.hears('MovePointer', ({ NormalizedX, NormalizedY }) => near(NormalizedX, 0.5) && near(NormalizedY, 0.5));
    const before = await boxOf(pointer);
    const { x, y, width } = await boxOf(canvas);
    // Beside the picture, too.
    await fingers.drag({ from: [x + 300, y - 60], to: [x + 240, y - 60] });
    await eventually('the pointer has moved', async () => (await boxOf(pointer)).x < before.x - 20);
    const share = ((await boxOf(pointer)).x - x) / width;
    await on.agent.hears('MovePointer', ({ NormalizedX }) => Math.abs(Number(NormalizedX) - share) < 0.02);
    await fingers.tap([x + 350, y - 60]);
    await eventually('it has clicked', () => presses().length === 2);
    expect(Math.abs(Number(on.agent.all('MouseButtonEvent')[0]?.NormalizedX) - share)).toBeLessThan(0.02);
    await storeScreenshot(page, 'desktop-touch-trackpad');

    // An enlarged picture follows it.
    await fingers.drag({ from: [150, y + 50], to: [40, y + 50] }, { from: [200, y + 50], to: [310, y + 50] });
    for (let count = 0; count < 6; count += 1) await fingers.drag({ from: [60, y + 50], to: [340, y + 50] });
    await on.agent.hears('MovePointer', ({ NormalizedX }) => Number(NormalizedX) === 1);
    await eventually('the right edge is in sight', async () => {
      const box = await boxOf(canvas);
      return box.width > width * 2 && box.x + box.width < width + 2;
    });

    await page.reload();
    await toolOf(page, 'Use as trackpad').waitFor();
    expect(await toolOf(page, 'Use as trackpad').getAttribute('aria-pressed')).toBe('true');
    await pointer.waitFor();
    await toolOf(page, 'Use as trackpad').tap();
    await pointer.waitFor({ state: 'detached' });
  });

  it('has all tools in one row and its menu', async (test) => {
    const { page, window } = await open(test);
    const end = await boxOf(toolOf(page, 'End'));
    expect(end.x + end.width).toBeLessThanOrEqual(PHONE.width);
    expect(await window.check.accessibility()).toEqual([]);
    await toolOf(page, 'More tools').tap();
    const menus = page.getByRole('menu');
    for (const name of ['Quality', 'Send keys', 'Clipboard']) await menus.getByRole('menuitem', { name }).waitFor();
    await storeScreenshot(page, 'desktop-touch-menu');
    await menus.getByRole('menuitem', { name: 'Quality' }).tap();
    await menus.getByRole('menuitemcheckbox', { name: 'Sharp' }).tap();
    await on.agent.hears('UpdateCaptureSettings', ({ ManualQuality }) => ManualQuality === 95);
  });

  /** The text that the device has got: characters, and Backspace and Enter as keys. */
  const typed = (): string => {
    let text = '';
    for (const { name, value } of on.agent.heard) {
      if (name === 'TypeText') text += String(value.Text);
      else if (name === 'KeyEvent' && value.IsPressed === true && value.Key === 'Backspace') text = [...text].slice(0, -1).join('');
      else if (name === 'KeyEvent' && value.IsPressed === true && value.Key === 'Enter') text += '\n';
    }
    return text;
  };

  /** Keys that went down and up, such as `+c control`. */
  const strokes = (): string[] =>
    on.agent.all('KeyEvent').map(({ Key, IsPressed, Modifiers }) => {
      const held = Object.entries(Modifiers as Record<string, boolean>).flatMap(([name, isHeld]) => (isHeld ? [name] : []));
      return [`${IsPressed === true ? '+' : '-'}${String(Key)}`, ...held].join(' ');
    });

  const keyOf = (page: Page, name: string): Locator =>
    page.getByRole('toolbar', { name: 'Keys' }).getByRole('button', { name, exact: true });

  /** Opens the keyboard of the phone, and returns the line to it. */
  async function openKeyboard(page: Page): Promise<CDPSession> {
    await keyOf(page, 'Keyboard').tap();
    await page.locator('textarea:focus[inputmode=text]').waitFor();
    return page.context().newCDPSession(page);
  }

  /** Leaves the page so much of the height, as a keyboard on the screen does. */
  async function leaveHeight(page: Page, height: number): Promise<void> {
    await page.evaluate(`{
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: ${height} });
      visualViewport.dispatchEvent(new Event('resize'));
    }`);
  }

  it('types what a keyboard on the screen composes, corrects and deletes exactly once', async (test) => {
    const { page } = await open(test);
    const keyboard = await openKeyboard(page);
    const compose = (text: string): Promise<unknown> =>
      keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    const commit = (text: string): Promise<unknown> => keyboard.send('Input.insertText', { text });

    // Letter by letter; then the keyboard corrects the word.
    for (const text of ['t', 'te', 'teh']) await compose(text);
    await eventually('letters arrive while they are composed', () => typed() === 'teh');
    await commit('the ');
    await eventually('the word is corrected', () => typed() === 'the ');
    // A swiped word, and one of a list.
    await commit('quick ');
    await commit('brown');
    await eventually('both words arrive', () => typed() === 'the quick brown');
    // Keyboards delete in the text, or press a key.
    await page.evaluate(`document.execCommand('delete')`);
    await eventually('a letter is deleted', () => typed() === 'the quick brow');
    await page.keyboard.press('Backspace');
    await eventually('another letter is deleted', () => typed() === 'the quick bro');
    await page.keyboard.press('Enter');
    await eventually('the line ends', () => typed() === 'the quick bro\n');
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'Enter' && IsPressed === false);

    on.agent.forget();
    for (const text of ['か', 'かん']) await compose(text);
    await commit('漢');
    await eventually('the sign arrives', () => typed() === '漢');
    expect(on.agent.all('TypeText')).toHaveLength(1);
    expect(strokes()).toEqual([]);
    await page.keyboard.type('ok');
    await eventually('the letters arrive', () => typed() === '漢ok');
    expect(strokes()).toEqual([]);
  });

  it('deletes what was there before the keyboard opened', async (test) => {
    const { page } = await open(test);
    await openKeyboard(page);
    for (let count = 0; count < 80; count += 1) await page.evaluate(`document.execCommand('delete')`);
    await eventually('every key arrives', () => on.agent.all('KeyEvent').length === 160);
  });

  it('holds Ctrl for the next key, and locks it with a second tap', async (test) => {
    const { page, canvas, fingers } = await open(test);
    const keyboard = await openKeyboard(page);
    await keyOf(page, 'Ctrl').tap();
    await page.locator('button[aria-pressed=true]', { hasText: 'Ctrl' }).waitFor();
    await keyboard.send('Input.imeSetComposition', { text: 'c', selectionStart: 1, selectionEnd: 1 });
    await eventually('the key has arrived', () => strokes().length === 4);
    expect(strokes()).toEqual(['+Control Control', '+c Control', '-c Control', '-Control']);
    await page.locator('button[aria-pressed=false]', { hasText: 'Ctrl' }).waitFor();
    // What follows is text again.
    await keyboard.send('Input.insertText', { text: 'x' });
    await on.agent.hears('TypeText', ({ Text }) => Text === 'x');
    expect(typed()).toBe('x');

    on.agent.forget();
    await keyOf(page, 'Ctrl').tap();
    await keyOf(page, 'Ctrl').tap();
    await keyOf(page, 'Ctrl, locked').waitFor();
    await fingers.tap(await placeOn(canvas, 0.5, 0.5));
    await eventually('it has clicked', () => presses().length === 2);
    await keyOf(page, 'Left').tap();
    await storeScreenshot(page, 'desktop-touch-keys');
    await keyOf(page, 'Ctrl, locked').tap();
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'Control' && IsPressed === false);
    expect(strokes()).toEqual(['+Control Control', '+ArrowLeft Control', '-ArrowLeft Control', '-Control']);
    expect(await page.evaluate('document.activeElement.inputMode')).toBe('text');
  });

  it('has the keys that keyboards of phones lack, and releases them when it closes or is hidden', async (test) => {
    const { page, window } = await open(test);
    for (const [name, key] of [
      ['Esc', 'Escape'],
      ['Tab', 'Tab'],
      ['Up', 'ArrowUp'],
      ['Del', 'Delete'],
    ] as const) {
      await keyOf(page, name).tap();
      await on.agent.hears('KeyEvent', ({ Key, Code, IsPressed }) => Key === key && Code === key && IsPressed === false);
    }
    await keyOf(page, 'More keys').tap();
    await keyOf(page, 'F5').tap();
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'F5' && IsPressed === false);
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, 'desktop-touch-more-keys');

    await openKeyboard(page);
    await keyOf(page, 'Win').tap();
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'Meta' && IsPressed === true);
    await keyOf(page, 'Keyboard').tap();
    await on.agent.hears('ResetKeyboardState');
    await page.locator('textarea:focus[inputmode=none]').waitFor();
    expect(await keyOf(page, 'Win').getAttribute('aria-pressed')).toBe('false');

    on.agent.forget();
    await keyOf(page, 'Alt').tap();
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'Alt' && IsPressed === true);
    await page.evaluate(`{
      Object.defineProperty(document, 'hidden', { configurable: true, value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }`);
    await on.agent.hears('ResetKeyboardState');
  });

  it('notices that the system has closed the keyboard', async (test) => {
    const { page } = await open(test);
    await openKeyboard(page);
    const show = (height: number): Promise<unknown> => leaveHeight(page, height);
    await show(500);
    await keyOf(page, 'Ctrl').tap();
    expect(await keyOf(page, 'Keyboard').getAttribute('aria-pressed')).toBe('true');
    await show(844);
    await on.agent.hears('ResetKeyboardState');
    await page.locator('textarea:focus[inputmode=none]').waitFor();
  });

  it('has the whole screen of a phone, and gives the page back', async (test) => {
    const { page, canvas } = await open(test);
    const navigation = page.getByRole('link', { name: 'Overview' });
    const covers = (): Promise<boolean> =>
      navigation.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const found = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
        return found !== null && !element.contains(found);
      });
    const bar = await boxOf(page.getByRole('toolbar', { name: 'Desktop tools' }));
    expect(bar.y).toBeLessThan(20);
    const keys = await boxOf(page.getByRole('toolbar', { name: 'Keys' }));
    expect(Math.round(keys.y + keys.height)).toBe(PHONE.height);
    await navigation.scrollIntoViewIfNeeded();
    expect(await covers()).toBe(true);
    await toolOf(page, 'Show page').tap();
    await eventually('the page is there', async () => !(await covers()));
    await toolOf(page, 'Hide page').tap();
    await eventually('the page is covered', covers);
    expect((await boxOf(canvas)).width).toBe(PHONE.width);
  });

  it.for([
    ['light', PHONE],
    ['dark', PHONE],
    ['light', { width: 844, height: 390 }],
    ['dark', { width: 844, height: 390 }],
  ] as const)('leaves nothing below the keyboard on the screen (%s)', async ([colorScheme, viewport], test) => {
    const { page, canvas, fingers, window } = await open(test, { viewport, colorScheme });
    const looks = `${colorScheme}-${viewport.width}`;
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, `desktop-touch-${looks}`);
    const size = await boxOf(canvas);
    // Below the middle: the keyboard would cover it.
    await fingers.tap(await placeOn(canvas, 0.5, 0.9));
    await openKeyboard(page);
    const left = Math.round(viewport.height * 0.55);
    await leaveHeight(page, left);
    const keys = page.getByRole('toolbar', { name: 'Keys' });
    await eventually('the keys are above the keyboard', async () => {
      const box = await boxOf(keys);
      return Math.round(box.y + box.height) === left;
    });
    // The picture keeps its size, and the place of the last tap is in sight.
    await eventually('the place of the last tap is in sight', async () => {
      const seen = await boxOf(page.locator('main canvas'));
      const tapped = seen.y + seen.height * 0.9;
      return Math.abs(seen.width - size.width) < 1 && tapped > 0 && tapped < (await boxOf(keys)).y;
    });
    await storeScreenshot(page, `desktop-touch-${looks}-keyboard`, {
      clip: { x: 0, y: 0, width: viewport.width, height: left },
    });
    expect(await page.getByRole('toolbar', { name: 'Desktop tools' }).isVisible()).toBe(left >= 320);
    await leaveHeight(page, viewport.height);
    await eventually('the keys are at the bottom again', async () => {
      const box = await boxOf(keys);
      return Math.round(box.y + box.height) === viewport.height;
    });
  });

  it('asks for the folder before it sends files, and begins in the home of the user', async (test) => {
    on.link.on(agentClient.GetPathSegments, ({ targetPath }) => ({
      errorMessage: null,
      pathExists: targetPath === '/home/anna',
      pathSegments: [],
      pathSeparator: '/',
      success: true,
    }));
    const { page, window } = await open(test);
    await toolOf(page, 'Send files').tap();
    const dialog = page.getByRole('dialog', { name: 'Send files to workshop-pc' });
    const field = dialog.getByRole('textbox', { name: 'Folder on the device' });
    await eventually('it names the home', async () => (await field.inputValue()) === '/home/anna');
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(page, 'desktop-touch-send');
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose files…' }).tap();
    expect((await chooser).isMultiple()).toBe(true);
    await dialog.waitFor({ state: 'detached' });
  });

  it('refuses dropped files without the permission, and never leaves the page for them', async (test) => {
    const tenant = await app.tenantOf(on.administrator);
    const user = await createUser(app.server, { tenantId: tenant.id });
    const may = [Permission.DeviceRead, Permission.DeviceOverviewRead, Permission.DeviceRemoteControlConnect];
    await grantAll(app.server, holder.user(user), may, at.tenant(tenant));
    const { page, canvas } = await open(test, { user, allowedRefusals: [/^403 /] });
    expect(await toolOf(page, 'Send files').count()).toBe(0);
    const transfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['text'], 'notes.txt'));
      return transfer;
    })()`);
    await canvas.dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByText(/You need the permission “.+”/).waitFor();
    // Beside the picture the browser would open the file.
    const isKept = (selector: string): Promise<boolean> =>
      page.evaluate<boolean>(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['text'], 'notes.txt'));
        const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
        return document.querySelector(${JSON.stringify(selector)})?.dispatchEvent(drop) === false;
      })()`);
    for (const place of ['main canvas', '[role=toolbar]', 'header']) expect(await isKept(place)).toBe(true);
    expect(on.agent.all('CloseRemoteControlSession')).toEqual([]);
  });

  it('takes messages away after a while, also after a tap has closed one', async (test) => {
    const { page } = await open(test);
    const say = (message: string): void => on.agent.say('ToastNotification', { Message: message, Severity: 0 });
    say('The first message.');
    await page.getByText('The first message.').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).tap();
    await page.getByText('The first message.').waitFor({ state: 'detached' });
    say('The second message.');
    await page.getByText('The second message.').waitFor();
    await page.getByText('The second message.').waitFor({ state: 'detached', timeout: 30_000 });
  });

  it('holds no modifier any more once the right to control it has ended, and connects again when the right is back', async (test) => {
    const tenant = await app.tenantOf(on.administrator);
    const user = await createUser(app.server, { tenantId: tenant.id });
    const may = [Permission.DeviceRead, Permission.DeviceOverviewRead, Permission.DeviceRemoteControlConnect];
    await grantAll(app.server, holder.user(user), may, at.tenant(tenant));
    const right = { principal: holder.user(user), permission: Permission.DeviceRemoteControlInteract, scope: at.tenant(tenant) };
    const { id } = await grant(app.server, right);
    const { page } = await open(test, { user, allowedRefusals: [/^40[13] /] });
    await keyOf(page, 'Ctrl').tap();
    await keyOf(page, 'Ctrl').tap();
    await keyOf(page, 'Ctrl, locked').waitFor();
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'Control' && IsPressed === true);
    const path = `/api/v1/permission-assignments/${id}`;
    await (await browserOf(app.server, on.administrator)).delete(path, { query: { tenantId: tenant.id } });
    await on.agent.hears('ResetKeyboardState');
    await page.getByText("View only: you don't have permission to control this device.").waitFor();

    await grant(app.server, right);
    // The user comes back to the page after a while.
    await page.evaluate(`{
      const now = Date.now;
      Date.now = () => now() + 60_000;
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }`);
    await eventually('the device is asked again', () => on.agent.asked.length === 2);
    await keyOf(page, 'Esc').tap();
    await on.agent.hears('KeyEvent', ({ Key, IsPressed }) => Key === 'Escape' && IsPressed === false);
    expect(await keyOf(page, 'Ctrl').getAttribute('aria-pressed')).toBe('false');
    expect(strokes()).toEqual(['+Control Control', '+Escape', '-Escape']);
  });

  it('touches nothing while the user only looks, but enlarges', async (test) => {
    const { page, canvas, fingers } = await open(test);
    const toggle = async (): Promise<void> => {
      await toolOf(page, 'More tools').tap();
      await page.getByRole('menuitemcheckbox', { name: 'View only' }).tap();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await toggle();
    await on.agent.hears('UpdateCaptureSettings', ({ CaptureCursor }) => CaptureCursor === true);
    on.agent.forget();
    const [x, y] = await placeOn(canvas, 0.5, 0.5);
    const { width } = await boxOf(canvas);
    await fingers.tap([x, y]);
    await fingers.drag({ from: [x - 30, y], to: [x - 80, y] }, { from: [x + 30, y], to: [x + 80, y] });
    await eventually('it is larger', async () => (await boxOf(canvas)).width > width * 1.5);
    await toggle();
    await fingers.tap([x, y]);
    await eventually('it has clicked', () => presses().length === 2);
    expect(on.agent.all('MovePointer')).toEqual([]);
  });
});
