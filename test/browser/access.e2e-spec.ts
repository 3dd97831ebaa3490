import { beforeAll, describe, it } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd } from './support/front-end.js';
import { hold, twoFrames } from './support/hold.js';

/*
 * Administrators give permissions in a browser, see why a user may do something, and read secrets that are shown once.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`access in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let scene: Scene;

  beforeAll(async () => {
    administrator = await app.administrator();
    scene = new Scene(app.server, await app.tenantOf(administrator));
  });

  it.concurrent('saves a Deny in place of an Allow, and explains it', async (test) => {
    const { expect } = test;
    const user = await scene.user();
    const window = await app.open(test, { user: administrator, viewport: { width: 1024, height: 900 } });
    const { page } = window;
    const cell = (state: string) => page.getByRole('button', { name: new RegExp(`^Use Remote Terminal, .*: ${state}`) });
    await window.goTo(`/users/${user.id}`);

    await cell('Not assigned').click();
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await cell('Allow$').waitFor();

    await cell('Allow').focus();
    await page.keyboard.press('d');
    await cell('Deny, not saved yet').waitFor();
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    const sentences = page.getByRole('dialog').getByRole('listitem');
    expect(await sentences.allTextContents()).toEqual([
      expect.stringMatching(/^Deny “Use Remote Terminal” at /),
      expect.stringMatching(/^Stop allowing “Use Remote Terminal” at /),
    ]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await cell('Deny$').waitFor();

    await window.goTo(`/effective-permissions?who=User:${user.id}&what=device.terminal.use`);
    await page.getByText('A Deny always wins.').waitFor();
    expect(await page.getByRole('table').getByText('Decides').count()).toBe(1);
    expect(await window.check.accessibility({})).toEqual([]);
  });

  it.concurrent('saves once, whatever the user does while a save is under way, and then asks nothing any more', async (test) => {
    const { expect } = test;
    const user = await scene.user();
    const window = await app.open(test, { user: administrator, viewport: { width: 1024, height: 900 } });
    const { page } = window;
    const cell = (state: string) => page.getByRole('button', { name: new RegExp(`^Use Remote Terminal, .*: ${state}`) });
    await window.goTo('/users');
    await page.evaluate(`window.__TSR_ROUTER__.navigate({ href: '/users/${user.id}' })`);
    await cell('Not assigned').click();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/permission-assignments')) sent.push(request.url());
    });
    const { isHeld, go } = await hold(page, (url) => url.pathname.includes('/permission-assignments') && !url.pathname.includes('presets'));
    const review = page.getByRole('dialog', { name: '1 change' });
    const save = review.getByRole('button', { name: 'Save', exact: true });
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await save.click();
    await isHeld;
    await page.keyboard.press('Escape');
    await review.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await save.click({ force: true });
    await twoFrames(page);
    expect(sent).toHaveLength(1);

    await page.evaluate('history.back()');
    await page.getByRole('dialog', { name: /^Leave/ }).waitFor();
    go();
    await page.waitForURL('**/users');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it.concurrent('keeps each part of a question about permissions that is chosen right after another one', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, viewport: { width: 1024, height: 900 } });
    const { page } = window;
    await window.goTo('/effective-permissions?what=device.read');
    await page.getByRole('combobox', { name: 'Permission' }).fill('remote term');
    const permission = page.getByRole('option', { name: 'Use Remote Terminal' });
    await permission.waitFor();
    await clickAtOnce(page, permission, [page.getByLabel('Scope'), 'Tenant']);
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ what: 'device.terminal.use', on: `Tenant:${scene.tenant.id}` });
  });

  it.concurrent('shows the value of a key once, and asks before it is lost', async (test) => {
    const { expect } = test;
    const account = await scene.serviceAccount(scene.tenant.id);
    const window = await app.open(test, { user: administrator, viewport: { width: 1024, height: 900 } });
    const { page } = window;
    await window.goTo(`/service-accounts/${account.id}`);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Backup');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const value = page.getByRole('group', { name: 'Key' });
    await value.waitFor();
    const secret = (await value.textContent()) ?? '';
    expect((await scene.server.client({ 'x-api-key': secret }).get('/api/v1/tags', { query: { tenantId: scene.tenant.id } })).status).toBe(
      200,
    );

    await page.keyboard.press('Escape');
    await page.getByText('Have you stored it?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
    await page.getByRole('checkbox', { name: "I've stored it" }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await value.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('table', { name: 'Keys' }).getByText('Active').waitFor();
  });

  it.concurrent('makes a user with a preset', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: { width: 1024, height: 900 } });
    const { page } = window;
    await window.goTo('/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('dana@example.org');
    await page.getByRole('textbox', { name: 'Password' }).fill('Correct-Horse-8');
    await page.getByRole('checkbox', { name: 'Agent Installer' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'dana@example.org' }).click();
    await page.getByRole('button', { name: /^Install Agent, .*: Allow$/ }).waitFor();
  });
});
