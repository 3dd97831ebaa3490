import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { Browser, browserOf, createPerson, PASSWORD } from '../../support/callers/browser.js';
import { changesOf, statusesOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testTenant } from '../../support/setup/test-server.js';

const NEW_PASSWORD = 'Other-Horse-8';
const MINUTE = 60_000;

const { server, mails, codeTo, settled, forgetMails } = testServerWithMail();
const tenant = testTenant(server);

beforeAll(() => server.clock.stop());
beforeEach(forgetMails);

const anybody = (values: Partial<User> = {}): Promise<User> => createPerson(server, { tenantId: tenant.id, ...values });
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account/security-log')).status === 200;
const forget = (email: string): Promise<{ readonly status: number }> => new Browser(server).post('/account/password/forgot', { email });
const reset = (code: string, newPassword = NEW_PASSWORD) => new Browser(server).post('/account/password/reset', { code, newPassword });
const change = (browser: Browser, newPassword = NEW_PASSWORD, currentPassword = PASSWORD) =>
  browser.post('/account/password', { currentPassword, newPassword });
const kindsOf = async ({ id }: User): Promise<string[]> => {
  const events = await server.dataSource.manager.find(SecurityEvent, { where: { userId: id }, order: { id: 'ASC' } });
  return events.map(({ kind }) => kind);
};

describe('a forgotten password', () => {
  it('is replaced by a link that comes by mail, which ends all sessions and works once', async () => {
    const user = await anybody({ emailConfirmed: false });
    const signedIn = await browserOf(server, user);
    expect((await forget(user.userName.toUpperCase())).status).toBe(204);
    const code = await codeTo(user.userName);
    const answers = await Promise.all([reset(code), reset(code), reset(code)]);
    expect(statusesOf(answers)).toEqual([204, 400, 400]);
    expect(await isSignedIn(signedIn)).toBe(false);
    expect((await new Browser(server).signIn(user)).status).toBe(401);
    expect((await new Browser(server).signIn(user, NEW_PASSWORD)).status).toBe(200);
    const newest = async (): Promise<string | undefined> => (await mails().mailTo(user.userName)).subject;
    await eventually('the notice has come', async () => (await newest()) === 'Your password was changed');
    expect(await kindsOf(user)).toEqual(['PasswordResetRequested', 'EmailConfirmed', 'PasswordReset', 'SignInFailed', 'SignedIn']);
    const changes = await changesOf(server, user.id);
    expect(changes.map(({ action }) => action)).toEqual(['user-email-confirmed', 'user-password-changed']);
  });

  it('is answered alike, and sends nothing, for addresses that nobody has', async () => {
    expect((await forget('nobody@example.org')).status).toBe(204);
    expect((await forget('no address')).status).toBe(204);
    await settled();
    expect(mails().received).toEqual([]);
  });

  it('is answered before anything about the account is done, so that the time tells nothing', async () => {
    const user = await anybody();
    await server.dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
      expect((await forget(user.userName)).status).toBe(204);
    });
    expect(await codeTo(user.userName)).toMatch(/^[0-9A-F]{32}:/);
  });

  it('sends one mail a minute, and only the newest link works', async () => {
    const user = await anybody();
    await Promise.all([1, 2, 3, 4].map(() => forget(user.userName)));
    await settled();
    const first = await codeTo(user.userName);
    server.clock.advance(MINUTE);
    await forgetMails();
    await forget(user.userName);
    const second = await codeTo(user.userName);
    expect([(await reset(first)).status, (await reset(second)).status]).toEqual([400, 204]);
  });

  it('needs a link that is younger than the last change of the password', async () => {
    const user = await anybody();
    await forget(user.userName);
    const code = await codeTo(user.userName);
    expect((await change(await browserOf(server, user))).status).toBe(204);
    expect((await reset(code, 'Third-Horse-9')).status).toBe(400);
    expect((await new Browser(server).signIn(user, NEW_PASSWORD)).status).toBe(200);
  });

  it('is refused a bad new one, which leaves the link as it is', async () => {
    const user = await anybody();
    await forget(user.userName);
    const code = await codeTo(user.userName);
    const refused = await reset(code, 'short');
    expect([refused.status, wrongFieldsOf(refused)]).toEqual([400, ['newPassword']]);
    expect((await reset(code)).status).toBe(204);
  });

  it('ends a lock-out', async () => {
    const user = await anybody();
    for (let attempt = 0; attempt < 5; attempt += 1) await new Browser(server).signIn(user, 'Wrong-Horse-7');
    expect((await mails().mailTo(user.userName)).subject).toBe('Sign-in is locked for a few minutes');
    await forgetMails();
    await forget(user.userName);
    expect((await reset(await codeTo(user.userName))).status).toBe(204);
    expect((await new Browser(server).signIn(user, NEW_PASSWORD)).status).toBe(200);
  });

  it('is not replaced for a user who has not accepted the invite yet', async () => {
    const inviteeEmail = 'invited.person@example.org';
    await server.client().post('/api/v1/invites', { query: { tenantId: tenant.id }, body: { inviteeEmail } });
    expect((await mails().mailTo(inviteeEmail)).subject).toContain('Invitation');
    await forgetMails();
    await forget(inviteeEmail);
    await settled();
    expect(mails().received).toEqual([]);
  });
});

describe('changing the password', () => {
  it('keeps this session, ends the others, and tells the user by mail', async () => {
    const user = await anybody();
    const [browser, other] = [await browserOf(server, user), await browserOf(server, user)];
    expect((await change(browser)).status).toBe(204);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    const { subject, text } = await mails().mailTo(user.userName);
    expect(subject).toBe('Your password was changed');
    expect(text).toContain('Firefox on Linux');
    expect(await kindsOf(user)).toEqual(['PasswordChanged']);
  });

  it('asks for the present one, and counts wrong ones as failed sign-ins', async () => {
    const user = await anybody();
    const browser = await browserOf(server, user);
    for (let attempt = 1; attempt < 5; attempt += 1) {
      const answer = await change(browser, NEW_PASSWORD, 'Wrong-Horse-7');
      expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['currentPassword']]);
    }
    const locked = await change(browser, NEW_PASSWORD, 'Wrong-Horse-7');
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([401, '300']);
    expect((await change(browser)).status).toBe(401);
    expect((await mails().mailTo(user.userName)).subject).toBe('Sign-in is locked for a few minutes');
    expect(mails().received).toHaveLength(1);
  });

  it.each([['short'], [PASSWORD], ['Password1']])('refuses %j', async (password) => {
    const answer = await change(await browserOf(server, await anybody()), password);
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['newPassword']]);
  });

  it('succeeds once when it is asked for twice at the same time', async () => {
    const user = await anybody();
    const browser = await browserOf(server, user);
    const answers = await Promise.all([change(browser), change(browser, 'Third-Horse-9')]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('opens everything again after an administrator has reset it', async () => {
    const user = await anybody();
    const answer = await server.client().post(`/api/v1/users/${user.id}/reset-password`, { query: { tenantId: tenant.id } });
    const { temporaryPassword } = answer.as<{ temporaryPassword: string }>();
    const browser = new Browser(server);
    await browser.signIn(user, temporaryPassword);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await change(browser, NEW_PASSWORD, temporaryPassword)).status).toBe(204);
    expect(await isSignedIn(browser)).toBe(true);
  });
});
