import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { SecurityEvent } from '../../../src/access/security-log/security-event.entity.js';
import type { InviteResponseDto } from '../../../src/people/invites/invite.dto.js';
import { Invite } from '../../../src/people/invites/invite.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { Browser, PASSWORD } from '../../support/callers/browser.js';
import { callingUser, changesOf, statusesOf } from '../../support/callers/callers.js';
import { at, grant, holder } from '../../support/fixtures/factories.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testTenant } from '../../support/setup/test-server.js';

const DAY = 24 * 60 * 60 * 1000;
const UNUSABLE = expect.stringContaining('does not work');

const { server, mails, forgetMails } = testServerWithMail({ Service_AppOptions__RequireUserEmailConfirmation: 'true' });
const tenant = testTenant(server);

beforeAll(() => server.clock.stop());
beforeEach(forgetMails);

const newAddress = (): string => `invitee-${newGuid()}@example.org`;
const invite = (inviteeEmail: string, client: ApiClient = server.client()): Promise<ApiAnswer> =>
  client.post('/api/v1/invites', { query: { tenantId: tenant.id }, body: { inviteeEmail } });
const accept = (browser: Browser, activationCode: string, email: string, password = PASSWORD): Promise<ApiAnswer> =>
  browser.post('/api/invites/accept', { activationCode, email, password });
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account/security-log')).status === 200;

/** Invites a new person, and reads the code in the mail. */
async function invited(): Promise<{ readonly email: string; readonly code: string; readonly id: string }> {
  const email = newAddress();
  const { id } = (await invite(email)).as<InviteResponseDto>();
  const { text = '' } = await mails().mailTo(email);
  return { email, id, code: /\/invite-confirmation\/(\S+)/.exec(text)?.[1] ?? '' };
}

describe('an invite', () => {
  it('comes by mail, which says who invites, with the link of the answer', async () => {
    const { user, client } = await callingUser(server, tenant, [Permission.TenantUsersWrite]);
    const email = newAddress();
    const { inviteUrl } = (await invite(email, client)).as<InviteResponseDto>();
    const { subject, text = '' } = await mails().mailTo(email);
    expect(subject).toContain('Invitation');
    expect(text).toContain(inviteUrl);
    expect(text.replaceAll('\u200C', '')).toContain(user.userName);
    const shown = await new Browser(server).get(`/account/invites/${inviteUrl.split('/').at(-1)}`);
    const expiresAt = new Date(server.clock.milliseconds() + 7 * DAY).toISOString();
    expect(shown.body).toEqual({ inviteeEmail: email, inviterName: user.userName, tenantName: tenant.name, expiresAt });
  });

  it('is accepted once, by one of several at the same time, who is signed in', async () => {
    const { email, code, id } = await invited();
    const browsers = [1, 2, 3].map(() => new Browser(server));
    const answers = await Promise.all(browsers.map((browser) => accept(browser, code, ` ${email.toUpperCase()} `)));
    expect(statusesOf(answers)).toEqual([200, 200, 200]);
    const bodies = answers.map(({ body }) => body);
    const winner = bodies.findIndex((body) => (body as { isSuccessful: boolean }).isSuccessful);
    expect(bodies[winner]).toEqual({ isSuccessful: true, errorMessage: null });
    expect(bodies.filter((_body, index) => index !== winner)).toEqual([
      { isSuccessful: false, errorMessage: UNUSABLE },
      { isSuccessful: false, errorMessage: UNUSABLE },
    ]);
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual(browsers.map((_browser, index) => index === winner));
    expect((await new Browser(server).signIn({ userName: email })).body).toMatchObject({ outcome: 'SignedIn' });
    expect(await server.dataSource.manager.existsBy(Invite, { id })).toBe(false);
    expect((await changesOf(server, id)).map(({ action }) => action)).toEqual(['invite-created', 'invite-accepted']);
    const user = await server.dataSource.manager.findOneByOrFail(User, { userName: email });
    expect(user).toMatchObject({ tenantId: tenant.id, emailConfirmed: true });
    const events = await server.dataSource.manager.find(SecurityEvent, { where: { userId: user.id }, order: { id: 'ASC' } });
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['InviteAccepted', null],
      ['SignedIn', 'Invite'],
      ['SignedIn', 'Password'],
    ]);
    expect(JSON.stringify(await changesOf(server, user.id))).not.toContain(code);
  });

  it('keeps what an administrator granted to the account before it is accepted', async () => {
    const { email, code } = await invited();
    const user = await server.dataSource.manager.findOneByOrFail(User, { userName: email });
    await grant(server, { principal: holder.user(user), permission: Permission.TenantUsersRead, scope: at.tenant(tenant) });
    const browser = new Browser(server);
    await accept(browser, code, email);
    expect((await browser.get('/api/v1/users', { query: { tenantId: tenant.id } })).status).toBe(200);
  });

  it('ends the session that the browser had before', async () => {
    const [first, second] = [await invited(), await invited()];
    const browser = new Browser(server);
    await accept(browser, first.code, first.email);
    const cookies = new Map(browser.cookies);
    await accept(browser, second.code, second.email);
    const former = new Browser(server);
    for (const [name, value] of cookies) former.cookies.set(name, value);
    expect([await isSignedIn(former), await isSignedIn(browser)]).toEqual([false, true]);
  });

  it('needs its own code and address', async () => {
    const [one, other] = [await invited(), await invited()];
    const browser = new Browser(server);
    const answers = [
      await accept(browser, one.code, other.email),
      await accept(browser, `${one.code}x`, one.email),
      await accept(browser, 'x', one.email),
      await accept(browser, one.code, 'nobody@example.org'),
    ];
    for (const { body } of answers) expect(body).toEqual({ isSuccessful: false, errorMessage: UNUSABLE });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.get('/account/invites/unknown')).status).toBe(404);
    expect((await accept(browser, one.code, one.email)).body).toMatchObject({ isSuccessful: true });
  });

  it('is not used up by a bad password', async () => {
    const { email, code } = await invited();
    const browser = new Browser(server);
    expect((await accept(browser, code, email, 'short')).body).toEqual({
      isSuccessful: false,
      errorMessage: expect.stringContaining('at least 8'),
    });
    expect((await accept(browser, code, email)).body).toMatchObject({ isSuccessful: true });
  });

  it('ends after seven days, and when it is withdrawn', async () => {
    const [old, withdrawn] = [await invited(), await invited()];
    await server.client().delete(`/api/v1/invites/${withdrawn.id}`, { query: { tenantId: tenant.id } });
    server.clock.advance(7 * DAY);
    for (const { email, code } of [old, withdrawn]) {
      const browser = new Browser(server);
      expect((await accept(browser, code, email)).body).toEqual({
        isSuccessful: false,
        errorMessage: expect.stringContaining('has expired'),
      });
      expect((await browser.get(`/account/invites/${code}`)).status).toBe(404);
    }
  });

  it('is not accepted by a page of another origin', async () => {
    const { email, code } = await invited();
    const body = { activationCode: code, email, password: PASSWORD };
    const answer = await new Browser(server).post('/api/invites/accept', body, { headers: { origin: 'https://evil.example' } });
    expect(answer.status).toBe(403);
  });
});
