import { beforeAll, describe, expect, it } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson, PASSWORD } from '../support/callers/browser.js';
import { eventually } from '../support/eventually.js';
import { createUser } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

/*
 * Every form that leads to a mail, on a server that sends none although its users have to confirm their addresses: each says so before a
 * user fills it in, or is not there.
 */

const OPTIONS = {
  Service_AppOptions__SmtpHost: '',
  Service_AppOptions__EnablePublicRegistration: 'true',
  Service_AppOptions__RequireUserEmailConfirmation: 'true',
};
const ANONYMOUS = ['401 GET /account/session'];
const NO_MAIL = "This server doesn't send e-mail";

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`forms that need mail, without it${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, OPTIONS);
  let administrator: User;

  beforeAll(async () => {
    administrator = await app.administrator();
  });

  it.for([
    ['/forgot', "This server can't send e-mail. An administrator can give you a temporary password."],
    ['/register', "New accounts are confirmed by e-mail, and this server can't send e-mail. Ask an administrator for an invitation."],
  ])('are not at %s, which says why', async ([path, sentence], test) => {
    const window = await app.open(test, { allowedRefusals: ANONYMOUS });
    await window.goTo(path);
    await window.page.getByText(sentence).waitFor();
    expect(await window.page.locator('form').count()).toBe(0);
    expect(await window.check.accessibility()).toEqual([]);
  });

  it('do not offer the mail with which an address is confirmed', async (test) => {
    const user = await createPerson(app.server, { tenantId: administrator.tenantId, userName: 'kim@example.org', emailConfirmed: false });
    const { page } = await app.open(test, { allowedRefusals: ANONYMOUS });
    await page.goto('/signin');
    await page.getByLabel('E-mail', { exact: true }).fill(user.userName);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText("Your e-mail address isn't confirmed, and this server can't send e-mail.").waitFor();
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  });

  it('say before an invitation that its link has to be passed on', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/invites');
    await page.getByRole('button', { name: 'Invite', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${NO_MAIL}. You'll get a link to pass on yourself.`).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await dialog.getByLabel('E-mail address').fill('lou@example.org');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText(`${NO_MAIL}. Send the link to lou@example.org yourself.`).waitFor();
    await dialog.getByRole('checkbox', { name: "I've stored it" }).check();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

    await page.getByRole('button', { name: 'Actions for lou@example.org' }).click();
    await page.getByRole('menuitem', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByText(`${NO_MAIL}: you'll get the link to pass on yourself.`).waitFor();
  });

  it('say that a created user cannot sign in, before and after, and lead to an invitation', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const form = page.getByRole('dialog', { name: 'Create user' });
    await form.getByText("A user you create can't sign in: users must confirm their e-mail address").waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await form.getByRole('button', { name: 'Invite instead' }).click();
    const invitation = page.getByRole('dialog', { name: 'Invite a user' });
    await invitation.getByLabel('E-mail address').fill('nina@example.org');
    await invitation.getByRole('button', { name: 'Cancel' }).click();
    await invitation.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Create user' }).click();
    await form.getByLabel('E-mail address').fill('nora@example.org');
    await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    const created = page.getByRole('dialog', { name: 'User created' });
    await created.getByText("nora@example.org can't sign in: the e-mail address isn't confirmed").waitFor();
    await created.getByText('Delete the user and send an invitation instead').waitFor();
    await eventually('the focus is in the dialog', () => created.evaluate((each) => each.contains(each.ownerDocument.activeElement)));
    expect(await window.check.accessibility()).toEqual([]);
    await created.getByRole('link', { name: 'View user' }).click();
    await page.getByRole('heading', { level: 1, name: 'nora@example.org' }).waitFor();
    await page.getByRole('main').getByText("nora@example.org can't sign in: the e-mail address isn't confirmed").waitFor();
    expect(await window.check.accessibility()).toEqual([]);
  });

  it('do not offer another address or a first password by mail', async (test) => {
    const user = await createUser(app.server, {
      tenantId: administrator.tenantId,
      userName: 'mika@example.org',
      passwordHash: null,
      emailConfirmed: true,
    });
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo('/account/profile');
    await page.getByText("This server can't send e-mail, so you can't change your address here.").waitFor();
    expect(await page.getByRole('button', { name: 'Change address' }).count()).toBe(0);
    await window.goTo('/account/security');
    await page.getByText("This server can't send the link to choose one").waitFor();
    expect(await page.getByRole('button', { name: 'Send link' }).count()).toBe(0);
  });
});

suite(`users who confirm their addresses by mail${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, { Service_AppOptions__RequireUserEmailConfirmation: 'true' });

  it('get a link when they are created, which the form and the page of the user say', async (test) => {
    const window = await app.open(test, { user: await app.administrator() });
    const { page } = window;
    await window.goTo('/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const form = page.getByRole('dialog', { name: 'Create user' });
    await form.getByText('The user gets an e-mail with a link to confirm this address').waitFor();
    expect(await form.getByRole('button', { name: 'Invite instead' }).count()).toBe(0);
    await form.getByLabel('E-mail address').fill('olga@example.org');
    await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('User created. A link to confirm the address is on its way to olga@example.org').waitFor();
    await page.getByRole('link', { name: 'olga@example.org' }).click();
    await page.getByText("olga@example.org can't sign in before confirming the e-mail address.").waitFor();
  });
});
