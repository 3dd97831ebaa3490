import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { Browser, browserOf, createPerson } from '../../support/callers/browser.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { MAILED_ADDRESS } from '../../support/stand-ins/mail-server.js';

/*
 * Texts of callers that reach headers: those of mails, and those of answers. A line break in such a text would begin a header of the
 * caller's, such as another recipient or a cookie, and a foreign host would lead the reader of a mail to another server.
 */

const EVE = 'eve@example.org';
const BREAK = `\r\nBcc: ${EVE}`;

const { server, mails, settled, forgetMails } = testServerWithMail({ Service_AppOptions__EnablePublicRegistration: 'true' });
let tenant: Tenant;
let user: User;
let browser: Browser;

beforeEach(async () => {
  await forgetMails();
  tenant = await createTenant(server);
  user = await createPerson(server, { tenantId: tenant.id });
  browser = await browserOf(server, user);
});

const inTenant = (body: object) => ({ query: { tenantId: tenant.id }, body });

describe('an address with a line break', () => {
  it.each<[route: string, send: (address: string) => Promise<ApiAnswer>]>([
    ['POST /account/register', (email) => new Browser(server).post('/account/register', { email, password: 'Correct-Horse-7' })],
    ['POST /account/email/change', (newEmail) => browser.post('/account/email/change', { newEmail })],
    ['POST /api/v1/invites', (inviteeEmail) => server.client().post('/api/v1/invites', inTenant({ inviteeEmail }))],
    ['POST /api/v1/users', (email) => server.client().post('/api/v1/users', inTenant({ userName: email, email, presetNames: [] }))],
  ])('is refused by %s', async (_route, send) => {
    for (const address of [`ann-${newGuid()}@example.org${BREAK}`, `ann-${newGuid()}@example.org, ${EVE}`, `Ann <${EVE}>`]) {
      expect([address, (await send(address)).status]).toEqual([address, 400]);
    }
    await settled();
    expect(mails().received).toEqual([]);
  });

  it('belongs to no account when a mail to it is asked for', async () => {
    for (const path of ['/account/password/forgot', '/account/email/resend-confirmation']) {
      await new Browser(server).post(path, { email: `${user.userName}${BREAK}` });
    }
    await settled();
    expect(mails().received).toEqual([]);
  });
});

describe('a mail', () => {
  /** Sends an invitation, and returns the mail's head, text and recipients. */
  async function invitation(): Promise<{ readonly to: readonly string[]; readonly head: string; readonly text: string }> {
    const inviteeEmail = `${newGuid()}@example.org`;
    expect((await server.client().post('/api/v1/invites', inTenant({ inviteeEmail }))).status).toBe(201);
    const { text = '' } = await mails().mailTo(inviteeEmail);
    const [{ to, source }] = mails().received;
    expect(to).toEqual([inviteeEmail]);
    return { to, head: source.slice(0, source.indexOf('\r\n\r\n')), text };
  }

  it('gets no header from the name of the tenant that it is about', async () => {
    const before = (await invitation()).head;
    await forgetMails();
    await server.dataSource.query('UPDATE tenants SET name = $2 WHERE id = $1', [tenant.id, `Contoso${BREAK}`]);
    const { head } = await invitation();
    const namesOf = (text: string): string[] => [...text.matchAll(/^([\w-]+):/gm)].map(([, name]) => name);
    expect(namesOf(head)).toEqual(namesOf(before));
  });

  it('leads to this service, whatever host the one who asked for it named', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const origin = 'https://evil.example';
    const asked = await server.client({ ...headers, origin }).post('/account/password/forgot', { body: { email: user.userName } });
    expect(asked.status).toBeLessThan(500);
    const { text = '', html = '' } = await mails().mailTo(user.userName);
    expect(text).toContain(`${MAILED_ADDRESS}/reset#code=`);
    expect(`${text}${html}`).not.toContain('evil.example');
  });
});

describe('a service without a public address', () => {
  const {
    server: unnamed,
    mails: mailsOfUnnamed,
    settled: unnamedSettled,
  } = testServerWithMail({
    Service_AppOptions__EnableInteractiveBearerLogin: 'true',
    Service_AppOptions__PublicUrl: '',
  });

  it('sends no mail with a link, whatever host a request names, and says so', async () => {
    const person = await createPerson(unnamed, { tenantId: (await createTenant(unnamed)).id });
    const client = unnamed.client({ host: 'evil.example', 'x-forwarded-host': 'evil.example' });
    const warned = vi.spyOn(Logger.prototype, 'warn');
    const asked = { body: { email: person.userName } };
    expect((await client.post('/api/auth/forgotPassword', asked)).status).toBe(200);
    expect((await client.post('/account/password/forgot', asked)).status).toBe(409);
    await unnamedSettled();
    expect(mailsOfUnnamed().received).toEqual([]);
    expect(warned).toHaveBeenCalledWith({
      message: 'A mail was not sent.',
      kind: 'resetPassword',
      reason: expect.stringContaining('AppOptions:PublicUrl') as string,
    });
    expect((await client.get('/account/server')).body).toMatchObject({ isMailSent: false });
  });
});

describe('an answer', () => {
  it.each(['%0d%0aSet-Cookie:%20a=b', '%0aLocation:%20https://evil.example', '%00'])(
    'gets no header from the device that a link names: %s',
    async (injected) => {
      const answer = await new Browser(server).get(`/device-access?deviceId=${newGuid()}${injected}&logonToken=x`);
      expect([answer.status, answer.headers.getSetCookie(), answer.headers.get('location')]).toEqual([400, [], null]);
    },
  );

  it('does not repeat what a request calls itself', async () => {
    const sent = { 'x-request-id': 'of-the-caller', traceparent: '00-not-a-trace-id-at-all-01' };
    const answer = await server.client(sent).get('/account/registration');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });
});
