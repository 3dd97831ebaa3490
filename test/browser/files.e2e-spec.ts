import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';

import { agentClient, agentHub, hubOk, hubValue, Timestamp } from '#libs/contracts';

import { Permission, type PermissionDefinition } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { browserOf, createPerson, PASSWORD } from '../support/callers/browser.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { at, createUser, grant, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd, type Window, type WindowOptions } from './support/front-end.js';
import { hold } from './support/hold.js';

/*
 * The files of a device with a real agent behind them. The agent runs on this machine, so that the test sees the device's files.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const PHONE = { width: 390, height: 844 };

suite(`the files of a device${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let agent: ReferenceAgent;
  let folder: string;

  beforeAll(async () => {
    administrator = await app.administrator();
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, await app.tenantOf(administrator)));
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'device-files-'));
    return () => rm(folder, { recursive: true, force: true });
  });

  afterAll(() => agent?.stop());

  const filesOf = (path: string, device = agent.device): string => `/devices/${device.id}/files?path=${encodeURIComponent(path)}`;
  const onDevice = (...names: string[]): Promise<string | undefined> => readFile(join(folder, ...names), 'utf8').catch(() => undefined);

  /** The folder's page for a user. */
  async function open(test: TestContext, options: WindowOptions = {}, path = folder): Promise<Window> {
    const window = await app.open(test, { user: administrator, ...options });
    await window.goTo(filesOf(path));
    return window;
  }

  /** A user who holds these permissions on the devices of the tenant. */
  async function userWith(permissions: readonly PermissionDefinition[]): Promise<User> {
    const tenant = await app.tenantOf(administrator);
    const user = await createUser(app.server, { tenantId: tenant.id });
    for (const permission of permissions) {
      await grant(app.server, { principal: holder.user(user), permission, scope: at.tenant(tenant) });
    }
    return user;
  }

  const row = (page: Page, name: string) => page.getByRole('row', { name });
  const menuOf = (page: Page) => page.getByRole('menu');
  const actsOf = async (page: Page): Promise<string[]> => {
    await menuOf(page).waitFor();
    const texts = await menuOf(page).getByRole('menuitem').allInnerTexts();
    // The keys follow on a line of their own.
    return texts.map((text) => text.split('\n')[0].trim());
  };

  it('renames a file by its menu, and says why a name cannot be used', async (test) => {
    await writeFile(join(folder, 'draft.txt'), 'draft');
    await writeFile(join(folder, 'taken.txt'), 'taken');
    const { page } = await open(test, { allowedRefusals: [/^400 POST .*\/rename/] });
    await row(page, 'draft.txt').click({ button: 'right' });
    await menuOf(page).getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename draft.txt' });
    const field = dialog.getByRole('textbox', { name: 'New name' });
    // The extension is not selected.
    await eventually('the name is selected', () => page.evaluate<boolean>('document.activeElement.selectionEnd === 5'));
    await page.keyboard.type('taken');
    await page.keyboard.press('Enter');
    await dialog.getByText('A file or directory of that name already exists.').waitFor();
    expect(await onDevice('taken.txt')).toBe('taken');

    await field.fill('final.txt');
    await page.keyboard.press('Enter');
    await page.getByText('Renamed to final.txt').waitFor();
    await row(page, 'final.txt').waitFor();
    expect((await readdir(folder)).sort()).toEqual(['final.txt', 'taken.txt']);
    expect(await onDevice('final.txt')).toBe('draft');
  });

  it('stays on the page when a file cannot be downloaded', async (test) => {
    await writeFile(join(folder, 'gone.txt'), 'gone');
    const { page } = await open(test, { allowedRefusals: [/^404 GET .*\/download\//] });
    await row(page, 'gone.txt').waitFor();
    await rm(join(folder, 'gone.txt'));
    const end = Promise.race([
      page.waitForEvent('download').then(() => 'a download that failed'),
      page.waitForEvent('framenavigated').then(() => 'another page'),
    ]);
    await row(page, 'gone.txt').click({ button: 'right' });
    await menuOf(page).getByRole('menuitem', { name: 'Download' }).click();
    expect(await end).toBe('a download that failed');
    await row(page, 'gone.txt').waitFor();
  });

  it('downloads a folder as an archive', async (test) => {
    await mkdir(join(folder, 'reports'));
    await writeFile(join(folder, 'reports', 'may.txt'), 'May');
    const { page } = await open(test);
    await row(page, 'reports').click({ button: 'right' });
    const answered = page.context().waitForEvent('response', (answer) => answer.url().includes('/download-archive/'));
    await menuOf(page).getByRole('menuitem', { name: 'Download archive' }).click();
    const answer = await answered;
    expect([answer.status(), answer.headers()['content-disposition']]).toEqual([200, expect.stringMatching(/^attachment;.*\.zip/)]);
  });

  it('offers an archive in a notification when the browser would block the tab for it', async (test) => {
    await mkdir(join(folder, 'late'));
    const { page } = await open(test);
    const asked: string[] = [];
    page.context().on('request', (request) => request.url().includes('/download-archive/') && asked.push(request.url()));
    // As some seconds after a click. Each step of a test counts as one.
    await page.evaluate(`Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } })`);
    await row(page, 'late').click({ button: 'right' });
    await menuOf(page).getByRole('menuitem', { name: 'Download archive' }).click();
    const offer = page.getByRole('button', { name: 'Download', exact: true });
    await offer.waitFor();
    expect(asked).toEqual([]);
    const answered = page.context().waitForEvent('response', (answer) => answer.url().includes('/download-archive/'));
    await offer.click();
    expect((await answered).status()).toBe(200);
  });

  it('renames a folder by its key', async (test) => {
    await mkdir(join(folder, 'reports', 'inner'), { recursive: true });
    const { page } = await open(test);
    await row(page, 'reports').focus();
    await page.keyboard.press('F2');
    await page.getByRole('dialog').getByRole('textbox', { name: 'New name' }).fill('archive');
    await page.keyboard.press('Enter');
    await row(page, 'archive').waitFor();
    expect(await readdir(join(folder, 'archive'))).toEqual(['inner']);
    // The tree beside the list shows the same.
    const tree = page.getByRole('navigation', { name: 'Folders' });
    await tree.getByRole('button', { name: `Show the folders in ${folder.split('/').at(-1)}` }).click();
    await tree.getByRole('button', { name: 'archive', exact: true }).waitFor();
  });

  it('leaves the name of a new folder alone that is typed when the one before is made', async (test) => {
    const { page } = await open(test);
    const dialog = page.getByRole('dialog', { name: `New folder in ${folder}` });
    const ask = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'New folder' }).click();
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    };
    const { isHeld, go } = await hold(page, /\/create-directory\//);
    await ask('first');
    await page.keyboard.press('Enter');
    await isHeld;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ask('second');
    go();
    await eventually('the first is made', async () => (await readdir(folder)).includes('first'));
    await page.locator('[role=row]', { hasText: 'first' }).waitFor({ state: 'attached' });
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('second');
    await page.keyboard.press('Enter');
    await row(page, 'second').waitFor();
  });

  it('offers in the menu what the toolbar offers, by the pointer, the keyboard and a finger', async (test) => {
    await writeFile(join(folder, 'one.txt'), 'one');
    await writeFile(join(folder, 'two.txt'), 'two');
    const { page } = await open(test);
    const toolbar = async (): Promise<string[]> => {
      const bar = page.getByText('selected', { exact: false }).locator('..');
      return (await bar.getByRole('button').allInnerTexts()).filter((text) => text !== '');
    };
    await row(page, 'one.txt').click({ button: 'right' });
    const acts = await actsOf(page);
    expect(acts).toEqual(['Open', 'Download', 'Rename', 'Copy path', 'Delete']);
    await page.keyboard.press('Escape');
    await menuOf(page).waitFor({ state: 'detached' });

    for (const key of ['.', 'Shift+F10']) {
      await row(page, 'one.txt').focus();
      await page.keyboard.press(key);
      await menuOf(page).waitFor();
      expect(await actsOf(page)).toEqual(acts);
      await page.keyboard.press('Escape');
      await menuOf(page).waitFor({ state: 'detached' });
    }

    await row(page, 'one.txt').getByRole('checkbox').check();
    expect(await toolbar()).toEqual(acts);
    await row(page, 'two.txt').getByRole('checkbox').check();
    await row(page, 'two.txt').click({ button: 'right' });
    expect(await actsOf(page)).toEqual(['Download archive', 'Copy 2 paths', 'Delete']);
    expect(await toolbar()).toEqual(await actsOf(page));
    await menuOf(page).getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 files and folders?' });
    await dialog.getByRole('textbox').fill('2');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This folder is empty').waitFor();
    expect(await readdir(folder)).toEqual([]);
  });

  it('opens the menu under a finger that rests on a phone, and selects from there', async (test) => {
    await writeFile(join(folder, 'one.txt'), 'one');
    const { page } = await open(test, { viewport: PHONE });
    const box = await row(page, 'one.txt').boundingBox();
    const finger = { pointerType: 'touch', clientX: 100, clientY: (box?.y ?? 0) + 20, bubbles: true };
    await row(page, 'one.txt').dispatchEvent('pointerdown', finger);
    await menuOf(page).waitFor();
    expect(await actsOf(page)).toEqual(['Select', 'Open', 'Download', 'Rename', 'Copy path', 'Delete']);
    await row(page, 'one.txt').dispatchEvent('pointerup', finger);
    await menuOf(page).getByRole('menuitem', { name: 'Select' }).click();
    await page.getByText('1 selected').waitFor();
  });

  it('hides Rename where the agent does not rename, and where the right is missing', async (test) => {
    const tenant = await app.tenantOf(administrator);
    const entry = {
      name: 'one.txt',
      fullPath: '/one.txt',
      isDirectory: false,
      size: 3,
      lastModified: Timestamp.fromDate(new Date('2026-01-02T03:04:05Z')),
      isHidden: false,
      canRead: true,
      canWrite: true,
      hasSubfolders: false,
    };
    const older = await FakeAgent.online(app.server, await createKeyedDevice(app.server, tenant));
    test.onTestFinished(() => older.stop());
    older.on(agentClient.GetRootDrives, () => hubValue({ drives: [{ ...entry, name: '/', fullPath: '/', isDirectory: true }] }));
    older.on(agentClient.StreamSubdirectories, ({ streamId }) => {
      older.openStream(agentHub.SendSubdirectoriesStream, streamId).complete();
      return hubOk();
    });
    older.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
      older.openStream(agentHub.SendDirectoryContentsStream, streamId, true).send([entry]).complete();
      return hubOk();
    });
    const window = await app.open(test, { user: administrator });
    await window.goTo(filesOf('/', older.device));
    await row(window.page, 'one.txt').click({ button: 'right' });
    expect(await actsOf(window.page)).toEqual(['Open', 'Download', 'Copy path', 'Delete']);

    await writeFile(join(folder, 'one.txt'), 'one');
    const reader = await userWith([Permission.DeviceRead, Permission.DeviceFileSystemRead]);
    const { page } = await open(test, { user: reader });
    await row(page, 'one.txt').click({ button: 'right' });
    expect(await actsOf(page)).toEqual(['Copy path']);
    await page.keyboard.press('Escape');
    await row(page, 'one.txt').focus();
    await page.keyboard.press('F2');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('hides and shows hidden folders in the list and in the tree by one switch, which the address keeps', async (test) => {
    await mkdir(join(folder, '.secret', 'inner'), { recursive: true });
    await mkdir(join(folder, 'plain'));
    const { page } = await open(test);
    const tree = page.getByRole('navigation', { name: 'Folders' });
    const inTree = tree.getByRole('button', { name: '.secret', exact: true });
    const name = folder.split('/').at(-1) ?? '';
    await tree.getByRole('button', { name: `Show the folders in ${name}` }).click();
    await tree.getByRole('button', { name: 'plain', exact: true }).waitFor();
    expect([await row(page, '.secret').count(), await inTree.count()]).toEqual([0, 0]);

    await page.getByRole('button', { name: 'Hidden files' }).click();
    await inTree.waitFor();
    await row(page, '.secret').waitFor();
    await page.reload();
    await row(page, '.secret').waitFor();
    await page.getByRole('button', { name: 'Hidden files', pressed: true }).click();
    await row(page, '.secret').waitFor({ state: 'detached' });

    // The way to a hidden folder stays, when it is the one that is shown.
    await page.goto(filesOf(join(folder, '.secret')));
    await row(page, 'inner').waitFor();
    await inTree.waitFor();
  });

  it('keeps each of two choices that are made right after each other', async (test) => {
    const inner = join(folder, 'inner');
    await mkdir(join(inner, 'deep'), { recursive: true });
    const { page } = await open(test, {}, join(inner, 'deep'));
    const chosen = (): unknown => Object.fromEntries(new URL(page.url()).searchParams);
    const hidden = page.getByRole('button', { name: 'Hidden files' });
    const up = page.getByRole('button', { name: 'Up', exact: true });
    const bySize = page.locator('[data-column=size] button').first();
    await clickAtOnce(page, hidden, up);
    await row(page, 'deep').waitFor();
    await expect.poll(chosen).toEqual({ path: inner, hidden: 'true' });
    await clickAtOnce(page, bySize, hidden);
    await expect.poll(chosen).toEqual({ path: inner, sort: 'size' });
    await clickAtOnce(page, bySize, bySize, hidden, hidden, up);
    await expect.poll(chosen).toEqual({ path: folder, sort: 'size' });
  });

  it('goes up a folder for each press, by the button and by the key', async (test) => {
    const deep = join(folder, 'inner', 'deep');
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, 'note.txt'), 'note');
    const window = await open(test, {}, deep);
    const { page } = window;
    const pathOf = (): string | null => new URL(page.url()).searchParams.get('path');
    const up = page.getByRole('button', { name: 'Up', exact: true });
    await clickAtOnce(page, up, up);
    await row(page, 'inner').waitFor();
    expect(pathOf()).toBe(folder);

    await window.goTo(filesOf(deep));
    await row(page, 'note.txt').waitFor();
    await page.evaluate(`for (let press = 0; press < 2; press++)
      document.querySelector('[role=row][data-id]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Backspace', bubbles: true }));`);
    await row(page, 'inner').waitFor();
    expect(pathOf()).toBe(folder);
  });

  it('deletes the files of a folder that is left meanwhile, and leaves the choice in the next one alone', async (test) => {
    await mkdir(join(folder, 'next'));
    await writeFile(join(folder, 'old.txt'), 'old');
    await writeFile(join(folder, 'next', 'kept.txt'), 'kept');
    const { page } = await open(test);
    const { isHeld, go } = await hold(page, /\/delete-path\//);
    const question = page.getByRole('dialog');
    await row(page, 'old.txt').click({ button: 'right' });
    await menuOf(page).getByRole('menuitem', { name: 'Delete' }).click();
    await question.getByRole('textbox').fill('old.txt');
    await question.getByRole('button', { name: 'Delete' }).click();
    await isHeld;
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await row(page, 'next').dblclick();
    await row(page, 'kept.txt').getByRole('checkbox').check();
    go();
    await page.getByText('1 deleted').waitFor();
    expect(await page.getByText('1 selected').count()).toBe(1);
    expect(await readdir(join(folder, 'next'))).toEqual(['kept.txt']);

    await page.getByRole('button', { name: 'Up', exact: true }).click();
    await row(page, 'next').waitFor();
    await row(page, 'old.txt').waitFor({ state: 'detached' });
  });

  it('closes the question about files whose folder is left', async (test) => {
    await mkdir(join(folder, 'inner'));
    await writeFile(join(folder, 'note.txt'), 'outer');
    await writeFile(join(folder, 'inner', 'note.txt'), 'inner');
    const { page } = await open(test);
    await row(page, 'inner').dblclick();
    await expect.poll(() => new URL(page.url()).searchParams.get('path')).toBe(join(folder, 'inner'));
    await row(page, 'note.txt').click({ button: 'right' });
    await menuOf(page).getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('note.txt');
    await page.goBack();
    await row(page, 'inner').waitFor({ state: 'attached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('says into which folder a file goes that is dropped, and puts it there', async (test) => {
    await mkdir(join(folder, 'inbox'));
    const source = await mkdtemp(join(tmpdir(), 'dragged-'));
    test.onTestFinished(() => rm(source, { recursive: true, force: true }));
    const window = await open(test);
    const { page } = window;
    await writeFile(join(source, 'note.txt'), 'dropped');
    // Only a drag of the browser itself carries files.
    const session = await page.context().newCDPSession(page);
    const drag = async (target: Locator, type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> => {
      await target.scrollIntoViewIfNeeded();
      const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {};
      const data = { items: [], files: [join(source, 'note.txt')], dragOperationsMask: 1 };
      // The first one over an element only enters it.
      for (let count = type === 'dragOver' ? 2 : 1; count > 0; count -= 1) {
        await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
      }
    };
    const zone = page.getByRole('grid', { name: 'Files and folders' });
    await drag(zone, 'dragEnter');
    await drag(zone, 'dragOver');
    await page.getByText(`Upload to ${folder}`, { exact: true }).waitFor();
    await drag(row(page, 'inbox'), 'dragOver');
    await page.getByText(`Upload to ${join(folder, 'inbox')}`, { exact: true }).waitFor();
    await drag(row(page, 'inbox'), 'drop');
    await eventually('the file is in the folder', async () => (await onDevice('inbox', 'note.txt')) === 'dropped');
    expect(await page.getByText(`Upload to`).count()).toBe(0);
    expect(await readdir(folder)).toEqual(['inbox']);

    const inTree = page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name: folder.split('/').at(-1), exact: true });
    await drag(inTree, 'dragEnter');
    await drag(inTree, 'dragOver');
    await page.getByText(`Upload to ${folder}`, { exact: true }).waitFor();
    await drag(inTree, 'drop');
    await eventually('the file is in the other', async () => (await onDevice('note.txt')) === 'dropped');
    await row(page, 'note.txt').waitFor();
    expect(await window.check.accessibility()).toEqual([]);
  });

  it('makes the empty folders that are dropped, and counts only the questions that are left', async (test) => {
    await writeFile(join(folder, 'a.txt'), 'old');
    await writeFile(join(folder, 'b.txt'), 'old');
    const source = await mkdtemp(join(tmpdir(), 'dragged-'));
    test.onTestFinished(() => rm(source, { recursive: true, force: true }));
    await mkdir(join(source, 'empty', 'inner'), { recursive: true });
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(source, name), 'new');
    const { page } = await open(test);
    const session = await page.context().newCDPSession(page);
    const drop = async (...names: string[]): Promise<void> => {
      const { x = 0, y = 0 } = (await row(page, 'a.txt').boundingBox()) ?? {};
      const data = { items: [], files: names.map((name) => join(source, name)), dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', { type, x: x + 2, y: y + 2, data });
    };
    await row(page, 'a.txt').waitFor();
    await drop('empty');
    await row(page, 'empty').waitFor();
    expect(await readdir(join(folder, 'empty'))).toEqual(['inner']);

    await drop('a.txt', 'b.txt');
    const conflict = (name: string) => page.getByRole('dialog', { name: new RegExp(`^${name} already exists`) });
    await conflict('a.txt').getByRole('checkbox').waitFor();
    await conflict('a.txt').getByRole('button', { name: 'Skip' }).click();
    await conflict('b.txt').getByRole('button', { name: 'Skip' }).waitFor();
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(0);
    await conflict('b.txt').getByRole('button', { name: 'Overwrite' }).click();
    await eventually('b.txt is new', async () => (await onDevice('b.txt')) === 'new');
    expect(await onDevice('a.txt')).toBe('old');
  });

  it('goes on with an upload that the end of the session has interrupted, after the user has signed in again', async (test) => {
    const tenant = await app.tenantOf(administrator);
    const user = await createPerson(app.server, { tenantId: tenant.id });
    for (const permission of [
      Permission.DeviceRead,
      Permission.DeviceOverviewRead,
      Permission.DeviceFileSystemRead,
      Permission.DeviceFileSystemTransferUpload,
    ])
      await grant(app.server, { principal: holder.user(user), permission, scope: at.tenant(tenant) });
    // A list that is on its way when the session ends is broken off.
    const ended = [
      /^401 /,
      'lost WebSocket /hubs/viewer',
      /^403 (GET \/api\/v1\/devices\/|POST .*\/(subdirectories|contents)$)/,
      /^lost POST .*\/(subdirectories|contents)$/,
    ];
    const { page } = await open(test, { user, allowedRefusals: ended });
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
    const { isHeld, go } = await hold(page, /\/device-file-system\/upload\//);
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('late') });
    await isHeld;
    await (await browserOf(app.server, user)).post('/account/sessions/end-others');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    const isRefused = page.waitForResponse((answer) => answer.url().includes('/device-file-system/upload/') && answer.status() === 401);
    go();
    await isRefused;
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('[data-status=done]').waitFor();
    await eventually('the file is on the device', async () => (await onDevice('late.txt')) === 'late');
  });

  describe('opened as a text', () => {
    const bytesOf = (name: string): Promise<Buffer> => readFile(join(folder, name));
    const textOf = (page: Page, name: string) => page.getByRole('textbox', { name: `Text of ${name}` });
    const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
    /** Waits until the page knows that it has saved the file, and has looked at what is on the device since. */
    const untilSaved = (page: Page): Promise<void> => page.getByText('Unsaved', { exact: true }).waitFor({ state: 'detached' });
    /** Adds a text at the end of the one that is open. */
    async function append(page: Page, name: string, text: string): Promise<void> {
      await textOf(page, name).focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(text);
      await page.getByText('Unsaved', { exact: true }).waitFor();
    }

    it('keeps its encoding and its line endings when it is saved', async (test) => {
      const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
      await writeFile(join(folder, 'settings.ini'), utf16('[é]\r\na=1\r\n'));
      const window = await open(test);
      const { page } = window;
      await row(page, 'settings.ini').focus();
      await page.keyboard.press('Enter');
      await textOf(page, 'settings.ini').waitFor();
      expect(await textOf(page, 'settings.ini').inputValue()).toBe('[é]\na=1\n');
      expect(await page.getByRole('combobox', { name: 'Encoding' }).inputValue()).toBe('utf-16le');
      await page.getByText('CRLF', { exact: true }).waitFor();
      expect(await save(page).isDisabled()).toBe(true);

      await append(page, 'settings.ini', 'b=2\n');
      await page.getByText('Line 4, column 1').waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText('settings.ini saved').waitFor();
      expect(await bytesOf('settings.ini')).toEqual(utf16('[é]\r\na=1\r\nb=2\r\n'));
      await untilSaved(page);
      expect(await window.check.accessibility()).toEqual([]);

      // A second time: its own change is none of someone else.
      await append(page, 'settings.ini', 'c=3');
      await save(page).click();
      await eventually('it is saved', async () => (await bytesOf('settings.ini')).equals(utf16('[é]\r\na=1\r\nb=2\r\nc=3')));
      await untilSaved(page);
    });

    it('says which characters its encoding does not have, and is saved in another one', async (test) => {
      await writeFile(join(folder, 'menu.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
      const { page } = await open(test);
      await row(page, 'menu.txt').locator('[role="gridcell"]').last().click();
      await append(page, 'menu.txt', ' ☃');
      await save(page).click();
      await page.getByText('Windows-1252 has no character for ☃.').waitFor();
      expect(await bytesOf('menu.txt')).toHaveLength(4);
      await page.getByRole('combobox', { name: 'Encoding' }).selectOption('UTF-8');
      await save(page).click();
      await eventually('it is UTF-8', async () => (await onDevice('menu.txt')) === 'café ☃');
      await untilSaved(page);
    });

    it('warns when the file has changed, and overwrites or reloads it', async (test) => {
      await writeFile(join(folder, 'hosts'), 'one\n');
      const { page } = await open(test, {}, folder);
      await page.goto(`${filesOf(folder)}&file=hosts`);
      await append(page, 'hosts', 'mine\n');
      await writeFile(join(folder, 'hosts'), 'one\ntheirs\n');
      const dialog = page.getByRole('dialog', { name: 'hosts has changed on the device' });
      await save(page).click();
      await dialog.getByRole('button', { name: 'Keep editing' }).click();
      expect(await onDevice('hosts')).toBe('one\ntheirs\n');

      await save(page).click();
      await dialog.getByRole('button', { name: 'Reload' }).click();
      await eventually('their text is shown', async () => (await textOf(page, 'hosts').inputValue()) === 'one\ntheirs\n');
      await untilSaved(page);

      await append(page, 'hosts', 'mine\n');
      await writeFile(join(folder, 'hosts'), 'theirs again\n');
      await save(page).click();
      await dialog.getByRole('button', { name: 'Overwrite' }).click();
      await eventually('mine is there', async () => (await onDevice('hosts')) === 'one\ntheirs\nmine\n');
      await untilSaved(page);

      await append(page, 'hosts', 'more\n');
      await rm(join(folder, 'hosts'));
      await save(page).click();
      await page.getByRole('dialog', { name: 'hosts was deleted on the device' }).getByRole('button', { name: 'Save anyway' }).click();
      await eventually('it is back', async () => (await onDevice('hosts')) === 'one\ntheirs\nmine\nmore\n');
      await untilSaved(page);
    });

    it('says that it is saved where its folder cannot be read since', async (test) => {
      await writeFile(join(folder, 'note.txt'), 'text');
      const window = await app.open(test, { user: administrator, allowedRefusals: [/^lost POST .*\/contents$/] });
      const { page } = window;
      await window.goTo(`${filesOf(folder)}&file=note.txt`);
      await append(page, 'note.txt', ' more');
      const contents = /\/device-file-system\/contents/;
      await page.route(/\/device-file-system\/upload\//, async (route) => {
        await page.route(contents, (lost) => lost.abort());
        await route.continue();
      });
      await save(page).click();
      await page.getByText('note.txt saved').waitFor();
      await untilSaved(page);
      expect(await onDevice('note.txt')).toBe('text more');

      await page.unroute(contents);
      await append(page, 'note.txt', ' and more');
      await save(page).click();
      await page.getByRole('dialog', { name: 'note.txt has changed on the device' }).getByRole('button', { name: 'Overwrite' }).click();
      await untilSaved(page);
      expect(await onDevice('note.txt')).toBe('text more and more');
    });

    it('is saved by another attempt where the answer to the first was lost', async (test) => {
      await writeFile(join(folder, 'note.txt'), 'text');
      const window = await app.open(test, { user: administrator, allowedRefusals: [/^lost POST .*\/upload\//] });
      const { page } = window;
      await window.goTo(`${filesOf(folder)}&file=note.txt`);
      await append(page, 'note.txt', ' more');
      const uploads = /\/device-file-system\/upload\//;
      await page.route(uploads, async (route) => {
        await writeFile(join(folder, 'note.txt'), 'text more');
        await route.abort();
      });
      await save(page).click();
      await page.getByText(/^Couldn't save:/).waitFor();

      await page.unroute(uploads);
      await save(page).click();
      await page.getByText('note.txt saved').waitFor();
      await untilSaved(page);
    });

    it('warns of a change that came right after it was saved', async (test) => {
      await writeFile(join(folder, 'note.txt'), 'text');
      const window = await open(test);
      const { page } = window;
      await window.goTo(`${filesOf(folder)}&file=note.txt`);
      await append(page, 'note.txt', ' more');
      const [uploads, contents] = [/\/device-file-system\/upload\//, /\/device-file-system\/contents/];
      await page.route(uploads, async (route) => {
        // Before the page looks at the file that it has saved, another program writes it.
        await page.route(contents, async (look) => {
          await writeFile(join(folder, 'note.txt'), 'what another program wrote');
          await look.continue();
        });
        await route.continue();
      });
      await save(page).click();
      await page.getByText('note.txt saved').waitFor();
      await untilSaved(page);
      for (const address of [uploads, contents]) await page.unroute(address);
      await append(page, 'note.txt', ' and more');
      await save(page).click();
      await page.getByRole('dialog', { name: 'note.txt has changed on the device' }).getByRole('button', { name: 'Keep editing' }).click();
      expect(await onDevice('note.txt')).toBe('what another program wrote');
    });

    it('is not left with unsaved changes by accident', async (test) => {
      await writeFile(join(folder, 'note.txt'), 'text');
      const { page } = await open(test);
      await row(page, 'note.txt').focus();
      await page.keyboard.press('Enter');
      await append(page, 'note.txt', ' more');
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
      await page.getByRole('button', { name: 'Back to the folder' }).click();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await textOf(page, 'note.txt').inputValue()).toBe('text more');
      await page.getByRole('link', { name: 'Overview' }).click();
      await dialog.getByRole('button', { name: 'Leave' }).click();
      await page.getByText('Operating system').waitFor();
      expect(await onDevice('note.txt')).toBe('text');
    });

    it('is said to be binary, too large or gone', async (test) => {
      await writeFile(join(folder, 'data.bin'), Buffer.from([0x89, 0x50, 0, 0, 1, 2]));
      await writeFile(join(folder, 'large.log'), Buffer.alloc(1024 * 1024 + 1, 'x'));
      const { page } = await open(test);
      await row(page, 'large.log').click({ button: 'right' });
      expect(await menuOf(page).getByRole('menuitem', { name: 'Open' }).getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Escape');
      await row(page, 'data.bin').focus();
      await page.keyboard.press('Enter');
      await page.getByText('data.bin is a binary file').waitFor();
      for (const [file, title] of [
        ['large.log', 'large.log is too large'],
        ['none.txt', 'none.txt no longer exists'],
      ]) {
        await page.goto(`${filesOf(folder)}&file=${file}`);
        await page.getByText(title).waitFor();
      }
      await page.getByRole('main').getByRole('button', { name: 'Back to the folder' }).last().click();
      await row(page, 'data.bin').waitFor();
    });

    it('is only shown without the right to upload, and not without that to download', async (test) => {
      await writeFile(join(folder, 'note.txt'), 'text');
      const { DeviceRead, DeviceFileSystemRead, DeviceFileSystemTransferDownload } = Permission;
      const reader = await userWith([DeviceRead, DeviceFileSystemRead, DeviceFileSystemTransferDownload]);
      const { page } = await open(test, { user: reader });
      await row(page, 'note.txt').focus();
      await page.keyboard.press('Enter');
      await page.getByText('Read-only', { exact: true }).waitFor();
      expect(await textOf(page, 'note.txt').inputValue()).toBe('text');
      expect(await textOf(page, 'note.txt').isEditable()).toBe(false);
      expect(await save(page).count()).toBe(0);

      const lister = await userWith([DeviceRead, DeviceFileSystemRead]);
      const other = await app.open(test, { user: lister });
      await other.goTo(`${filesOf(folder)}&file=note.txt`);
      await other.page.getByText(DeviceFileSystemTransferDownload.displayName).waitFor();
    });

    it('stays as it was typed while the device is offline', async (test) => {
      const device = await createKeyedDevice(app.server, await app.tenantOf(administrator));
      const first = await ReferenceAgent.start(app.server, device);
      test.onTestFinished(() => first.stop());
      await writeFile(join(folder, 'note.txt'), 'text');
      const window = await app.open(test, { user: administrator });
      const { page } = window;
      await window.goTo(`${filesOf(folder, device)}&file=note.txt`);
      await append(page, 'note.txt', ' more');
      await first.stop();
      await page.getByText('The device is offline. Your changes stay here').waitFor();
      expect(await save(page).isDisabled()).toBe(true);
      const second = await ReferenceAgent.start(app.server, device);
      test.onTestFinished(() => second.stop());
      await page.getByText('The device is offline. Your changes stay here').waitFor({ state: 'detached' });
      await save(page).click();
      await eventually('it is saved', async () => (await onDevice('note.txt')) === 'text more');
      await untilSaved(page);
    });
  });
});
