import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { PermissionAssignment } from '../../src/access/permission-assignments/permission-assignment.entity.js';
import { DeviceTag, Tag, TagType } from '../../src/devices/tags/tag.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { UserGroupMember } from '../../src/people/user-groups/user-group.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import { eventually } from '../support/eventually.js';
import { addToUserGroup, createDevice, createUserGroup } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd, type Window } from './support/front-end.js';
import { hold, twoFrames } from './support/hold.js';

/*
 * Answers that come after their user has gone on, and pages that follow each other at the same place: nothing of the one before shows.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

/**
 * Types an `e` while the page is on its way to the search for what was typed before. That has to come at once: the page searches as soon as
 * typing rests.
 */
const INSERT_ON_THE_WAY = `
  const stop = window.__TSR_ROUTER__.subscribe('onBeforeLoad', () => {
    stop();
    document.execCommand('insertText', false, 'e');
  });`;

suite(`late answers in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
  });

  const person = (name: string): Promise<User> => {
    const userName = `${name}@late.example`;
    return createPerson(app.server, { tenantId: tenant.id, userName, normalizedUserName: userName.toUpperCase(), email: userName });
  };
  const open = async (test: TestContext, path: string, user = administrator): Promise<Window> => {
    const window = await app.open(test, { user });
    await window.goTo(path);
    return window;
  };
  /** Goes to another page as a link does. */
  const goOn = (page: Page, href: string): Promise<void> =>
    page.evaluate(`window.__TSR_ROUTER__.navigate({ href: ${JSON.stringify(href)} })`);
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  /** Lets held requests through, and the page draw what it makes of the answer to the one that changes something. */
  async function letThrough(page: Page, go: () => void): Promise<void> {
    const finished = page.waitForEvent('requestfinished', (request) => request.method() !== 'GET');
    go();
    await finished;
    await twoFrames(page);
  }

  /** A sentence beside the page and its dialogs. */
  const notification = (page: Page, text: RegExp): Locator => page.locator('[data-toasts]').getByText(text);

  /** Confirms that the secret is stored that a dialog of this name shows. */
  async function storeSecret(page: Page, name: string): Promise<void> {
    const secret = page.getByRole('dialog', { name });
    await secret.getByRole('checkbox', { name: "I've stored it" }).check();
    await secret.getByRole('button', { name: 'Close', exact: true }).last().click();
    await secret.waitFor({ state: 'detached' });
  }

  it('leave the temporary password of one user out of the page of the next', async (test) => {
    const [first, second] = [await person('first'), await person('second')];
    const { page } = await open(test, `/users/${first.id}/groups`);
    await goOn(page, `/users/${second.id}/groups`);
    await heading(page, second.userName).waitFor();
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    await page.getByRole('dialog', { name: `New password for ${second.userName}` }).waitFor();
    await page.goBack();
    // Behind a dialog nothing has a role.
    await page.locator('h1', { hasText: first.userName }).waitFor({ state: 'attached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('name the user whose password they are about', async (test) => {
    const [slow, other] = [await person('slow'), await person('other')];
    const { page } = await open(test, '/users?q=late.example');
    const ask = async ({ userName }: User) => {
      await page.getByRole('button', { name: `Actions for ${userName}` }).click();
      await page.getByRole('menuitem', { name: 'Reset password' }).click();
      return page.getByRole('dialog', { name: `Reset the password of ${userName}?` });
    };
    const { go } = await hold(page, new RegExp(`${slow.id}/reset-password`));
    const question = await ask(slow);
    await question.getByRole('button', { name: 'Reset password' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await (await ask(other)).waitFor();
    await letThrough(page, go);
    await page.getByRole('dialog', { name: `New password for ${slow.userName}` }).waitFor();
  });

  it('tell why a user was not created whose form was left, and leave the next form alone', async (test) => {
    const taken = await person('taken');
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^400 POST /] });
    const { page } = window;
    await window.goTo('/users');
    const dialog = page.getByRole('dialog', { name: 'Create user' });
    const begin = async (email: string): Promise<void> => {
      await page.getByRole('button', { name: 'Create user' }).click();
      await dialog.getByLabel('E-mail').fill(email);
    };
    /** Leaves a form that was sent, begins the next one, and lets the answer to the first through. */
    async function leaveSent(email: string): Promise<void> {
      const { isHeld, go } = await hold(page, (url) => url.pathname === '/api/v1/users');
      await begin(email);
      await dialog.getByLabel('Password', { exact: true }).fill('Correct-Horse-9');
      await dialog.getByRole('button', { name: 'Create', exact: true }).click();
      await isHeld;
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await begin('next@late.example');
      await letThrough(page, go);
      await page.unrouteAll();
    }
    await leaveSent(taken.userName);
    await page.getByText('A user with this name or e-mail address already exists.').waitFor();
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('next@late.example');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await leaveSent('created@late.example');
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('next@late.example');
  });

  it('show the link of an invitation, and leave the next one that was begun since alone', async (test) => {
    const { page } = await open(test, '/users');
    const form = page.getByRole('dialog', { name: 'Invite a user' });
    const begin = async (email: string): Promise<void> => {
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await form.getByLabel('E-mail address').fill(email);
    };
    const { isHeld, go } = await hold(page, (url) => url.pathname === '/api/v1/invites');
    await begin('invited@late.example');
    await form.getByRole('button', { name: 'Invite', exact: true }).click();
    await isHeld;
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    await begin('next@late.example');
    await letThrough(page, go);
    await storeSecret(page, 'Invitation created');
    await form.waitFor();
    expect(await form.getByLabel('E-mail address').inputValue()).toBe('next@late.example');
  });

  it("show the link of a tenant's administrator, and leave the next tenant that was begun since alone", async (test) => {
    const { page } = await open(test, '/server/tenants');
    const form = page.getByRole('dialog', { name: 'Create tenant' });
    const begin = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Create tenant' }).click();
      await form.getByLabel('Name', { exact: true }).fill(name);
    };
    const { isHeld, go } = await hold(page, (url) => url.pathname === '/account/tenants');
    await begin('Contoso');
    await form.getByLabel("Administrator's e-mail address").fill('first@contoso.example');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await isHeld;
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    await begin('Fabrikam');
    await letThrough(page, go);
    await storeSecret(page, 'Administrator invited');
    await form.waitFor();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Fabrikam');
  });

  it('tell why a password was not changed whose form was left', async (test) => {
    const user = await person('keeper');
    const window = await app.open(test, { user, allowedRefusals: [/^40\d POST /] });
    const { page } = window;
    await window.goTo('/account/security');
    const form = page.getByRole('dialog', { name: 'Change password' });
    const begin = async (current: string): Promise<void> => {
      await page.getByRole('button', { name: 'Change password' }).click();
      await form.getByLabel('Current password', { exact: true }).fill(current);
    };
    const { isHeld, go } = await hold(page, (url) => url.pathname === '/account/password');
    await begin('Wrong-Password-1');
    await form.getByLabel('New password', { exact: true }).fill('Battery-Staple-9');
    await form.getByRole('button', { name: 'Change password' }).click();
    await isHeld;
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    await begin('Next-Password-1');
    await letThrough(page, go);
    await notification(page, /password/).waitFor();
    expect(await form.getByLabel('Current password', { exact: true }).inputValue()).toBe('Next-Password-1');
  });

  it('tell why a device was not restarted whose question was left', async (test) => {
    // No agent is connected, although the list says so.
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'stuck', isOnline: true });
    const { page } = await open(test, `/devices/${device.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Restart' }).click();
    const question = page.getByRole('dialog', { name: 'Restart stuck?' });
    await question.waitFor();
    await clickAtOnce(page, question.getByRole('button', { name: 'Restart' }), question.getByRole('button', { name: 'Cancel' }));
    await notification(page, /\w/).waitFor();
    expect(await question.count()).toBe(0);
  });

  it('tell why a password was not reset whose question was left', async (test) => {
    const user = await person('deleted');
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^404 /] });
    const { page } = window;
    await window.goTo('/users?q=late.example');
    await page.getByRole('button', { name: `Actions for ${user.userName}` }).click();
    await page.getByRole('menuitem', { name: 'Reset password' }).click();
    const question = page.getByRole('dialog', { name: `Reset the password of ${user.userName}?` });
    const { isHeld, go } = await hold(page, /\/reset-password/);
    await question.getByRole('button', { name: 'Reset password' }).click();
    await isHeld;
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await app.server.dataSource.query('DELETE FROM users WHERE id = $1', [user.id]);
    await letThrough(page, go);
    await notification(page, /\w/).waitFor();
  });

  it('tell why a tag was not renamed whose form was left', async (test) => {
    const [taken, renamed] = ['Taken tag', 'Tag to rename'].map((name) => ({
      id: newGuid(),
      tenantId: tenant.id,
      name,
      type: TagType.Unknown,
    }));
    await app.server.dataSource.manager.insert(Tag, [taken, renamed]);
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^4\d\d PUT /] });
    const { page } = window;
    await window.goTo('/tags');
    await page.getByRole('button', { name: `Actions for ${renamed.name}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill(taken.name);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    const { go } = await hold(page, (url) => url.pathname === `/api/v1/tags/${renamed.id}`);
    await form.getByRole('button', { name: 'Save' }).click();
    await sent;
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    await letThrough(page, go);
    await notification(page, /\w/).waitFor();
  });

  it('leave the question about one key open when the key before it is approved', async (test) => {
    const scene = new Scene(app.server, tenant);
    const [first, second] = [(await scene.deviceWithPendingKey()).device, (await scene.deviceWithPendingKey()).device];
    const { page } = await open(test, '/key-approvals');
    const ask = async (name: string): Promise<Locator> => {
      await page.getByRole('button', { name: `Approve the key of ${name}` }).click();
      return page.getByRole('dialog', { name: `Approve the key of ${name}?` });
    };
    const { isHeld, go } = await hold(page, /\/key-approval(\?|$)/);
    const question = await ask(first.name);
    await question.getByRole('button', { name: 'Approve' }).click();
    await isHeld;
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    const next = await ask(second.name);
    await next.waitFor();
    await letThrough(page, go);
    await page.getByText(`New key of ${first.name} approved`).waitFor();
    expect(await next.count()).toBe(1);
  });

  it('open no terminal on a device whose page the user has left', async (test) => {
    const [device, other] = [
      await createDevice(app.server, { tenantId: tenant.id, name: 'left', isOnline: true }),
      await createDevice(app.server, { tenantId: tenant.id, name: 'elsewhere', isOnline: true }),
    ];
    const { page } = await open(test, '/tags');
    // A terminal of another device that this tab had before it was loaded, and a browser that takes its time.
    await page.evaluate(`sessionStorage.setItem('terminals', JSON.stringify({ userId: ${JSON.stringify(administrator.id)}, value: [
      { terminalId: crypto.randomUUID(), deviceId: ${JSON.stringify(other.id)}, deviceName: 'elsewhere', number: 1, isRaw: null, isAway: false }] }))`);
    await page.addInitScript(`
      const request = navigator.locks.request.bind(navigator.locks);
      const isOpen = new Promise((resolve) => (window.letGo = resolve));
      navigator.locks.request = async (...given) => {
        window.isAsked = true;
        await isOpen;
        return request(...given);
      };`);
    await page.goto(`/devices/${device.id}/terminal`);
    await eventually('the browser is asked', () => page.evaluate<boolean>('window.isAsked === true'));
    await goOn(page, '/tags');
    await heading(page, 'Tags').waitFor();
    await page.evaluate('window.letGo()');
    await eventually('the terminal that was remembered is back', () =>
      page.evaluate<boolean>(`navigator.locks.query().then(({ held }) => held.some(({ name }) => name.startsWith('terminal ')))`),
    );
    await twoFrames(page);
    const terminals = await page.evaluate<string>(`sessionStorage.getItem('terminals')`);
    expect(terminals).toContain(other.id);
    expect(terminals).not.toContain(device.id);
  });

  it('undo what was done to one user, and not to the next', async (test) => {
    const [first, second] = [await person('mover'), await person('neighbour')];
    const group = await createUserGroup(app.server, { tenantId: tenant.id, name: 'Night shift' });
    await addToUserGroup(app.server, group, first);
    const { page } = await open(test, `/users/${first.id}/groups`);
    await page.getByRole('button', { name: 'Actions for Night shift' }).click();
    await page.getByRole('menuitem', { name: 'Remove from group' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await goOn(page, `/users/${second.id}/groups`);
    await heading(page, second.userName).waitFor();
    const added = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().includes('user-groups'));
    await undo.click();
    await added;
    const members = await app.server.dataSource.manager.findBy(UserGroupMember, { userGroupId: group.id });
    expect(members.map(({ userId }) => userId)).toEqual([first.id]);
  });

  it.for(['device', 'user'] as const)('leave the user at the page that followed that of a deleted %s', async (kind, test) => {
    const gone = kind === 'device' ? await createDevice(app.server, { tenantId: tenant.id, name: 'old' }) : await person('gone');
    const name = 'userName' in gone ? gone.userName : gone.name;
    const window = await open(test, kind === 'device' ? `/devices/${gone.id}` : `/users/${gone.id}/groups`);
    const { page } = window;
    if (kind === 'device') {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete device' }).click();
    } else await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(name);
    await window.untilStill();
    const { isHeld, go } = await hold(page, new RegExp(`/api/v1/${kind}s/${gone.id}`));
    await dialog.getByRole('button', { name: /^Delete/ }).click();
    await isHeld;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await goOn(page, '/tags');
    await heading(page, 'Tags').waitFor();
    await letThrough(page, go);
    await heading(page, 'Tags').waitFor();
    expect(new URL(page.url()).pathname).toBe('/tags');
  });

  it('undo each of two changes that follow each other at once', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'tagged' });
    const names = ['Till', 'Scale'];
    for (const name of names) {
      const tag = await app.server.dataSource.manager.save(Tag, { id: newGuid(), tenantId: tenant.id, name, type: TagType.Permission });
      await app.server.dataSource.manager.insert(DeviceTag, { deviceId: device.id, tagId: tag.id });
    }
    const { page } = await open(test, `/devices/${device.id}`);
    const { go } = await hold(page, /\/device-tags\//);
    for (const name of names) await page.getByRole('button', { name: `Remove ${name}` }).click();
    go();
    for (const name of names) await page.getByText(`Tag ${name} removed`).waitFor();
  });

  it('keep the last of two changes of a setting that follow each other at once', async (test) => {
    const { page } = await open(test, '/settings');
    const approval = page.getByRole('switch', { name: 'Approve new keys of known devices' });
    const { isHeld, go } = await hold(page, (url) => url.pathname === '/api/v1/tenant-settings');
    await approval.click();
    await isHeld;
    await approval.click();
    await twoFrames(page);
    go();
    await page.getByText('Saved').nth(1).waitFor();
    expect(await page.getByText('Someone else just changed this setting').count()).toBe(0);
    expect(await approval.isChecked()).toBe(false);
    await page.reload();
    await approval.waitFor();
    expect(await approval.isChecked()).toBe(false);
  });

  it('leave what is typed while the list of devices begins to search', async (test) => {
    await createDevice(app.server, { tenantId: tenant.id, name: 'tile-1' });
    const { page } = await open(test, '/devices');
    const box = page.getByRole('searchbox', { name: 'Search devices' });
    await box.focus();
    await page.evaluate(INSERT_ON_THE_WAY);
    await page.keyboard.insertText('til');
    await page.waitForURL(/q=til/);
    await page.keyboard.type('-');
    await page.waitForURL(/q=tile-/);
    expect(await box.inputValue()).toBe('tile-');
  });

  it('leave what is typed while a list begins to filter', async (test) => {
    await person('typed');
    const { page } = await open(test, '/users');
    const box = page.getByRole('searchbox', { name: 'Search users' });
    await box.focus();
    await page.evaluate(INSERT_ON_THE_WAY);
    await page.keyboard.insertText('typ');
    await page.waitForURL(/q=type/);
    expect(await box.inputValue()).toBe('type');
  });

  it('leave users on the page where they are when a view is deleted or kept', async (test) => {
    await createDevice(app.server, { tenantId: tenant.id, name: 'viewed' });
    const { page } = await open(test, '/devices');
    const act = async (name: string | RegExp): Promise<void> => {
      await page.getByRole('button', { name: 'More list actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const keep = async (name: string): Promise<void> => {
      await act('Save as view…');
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
    };
    await keep('Deleted late');
    await page.waitForURL(/view=/);
    const storage = await hold(page, /\/user-storage/);
    await act('Delete “Deleted late”');
    await storage.isHeld;
    await goOn(page, '/tags');
    await heading(page, 'Tags').waitFor();
    storage.go();
    await page.getByText('View Deleted late deleted').waitFor();
    await twoFrames(page);
    expect(new URL(page.url()).pathname).toBe('/tags');
    await page.unrouteAll();

    await goOn(page, '/devices');
    const again = await hold(page, /\/user-storage/);
    await keep('Kept late');
    await again.isHeld;
    await goOn(page, '/tags');
    await heading(page, 'Tags').waitFor();
    again.go();
    await page.getByText('View Kept late saved').waitFor();
    await twoFrames(page);
    expect(new URL(page.url()).pathname).toBe('/tags');
  });

  it('leave users on the page where they are when an installer key is made', async (test) => {
    const { page } = await open(test, '/deploy');
    const { isHeld, go } = await hold(page, /\/api\/v1\/installer-keys/);
    await page.getByRole('button', { name: 'Create key' }).click();
    await isHeld;
    await goOn(page, '/tags');
    await heading(page, 'Tags').waitFor();
    await letThrough(page, go);
    expect(new URL(page.url()).pathname).toBe('/tags');
  });

  it('leave a saved permission alone that another administrator takes away', async (test) => {
    const user = await person('granted');
    const { page } = await open(test, `/users/${user.id}/access`);
    await page.getByRole('button', { name: /^Read Device, .*: / }).click();
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    await app.server.dataSource.manager.delete(PermissionAssignment, { principalId: user.id });
    await page.evaluate(`window.__TSR_ROUTER__.options.context.queryClient.invalidateQueries({ queryKey: ['permission-assignments'] })`);
    await page.getByRole('button', { name: /^Read Device, .*: Not assigned/ }).waitFor();
    expect(await page.getByText('1 unsaved change').count()).toBe(0);
  });
});
