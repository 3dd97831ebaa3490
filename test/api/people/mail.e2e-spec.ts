import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { MailOutcome } from '../../../src/people/mail/mail-delivery.js';
import { MAXIMUM_KEPT_MESSAGES } from '../../../src/people/mail/mail-folder.js';
import type { MailContent } from '../../../src/people/mail/mail-message.js';
import { MailQueue } from '../../../src/people/mail/mail-queue.js';
import { MailService } from '../../../src/people/mail/mail.service.js';
import { exampleMails, USUAL_NAMES } from '../../../src/people/mail/preview/example-mails.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { AfterAnswer } from '../../../src/platform/common/concurrency/after-answer.js';
import { DomainError } from '../../../src/platform/common/errors/errors.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { TestApp } from '../../support/application/app.js';
import { Browser, browserOf, createPerson } from '../../support/callers/browser.js';
import { eventually } from '../../support/eventually.js';
import { at, createPersonalAccessToken, createTenant, createUser, grant, holder } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer } from '../../support/setup/test-server.js';
import { MAILED_ADDRESS, MailServer } from '../../support/stand-ins/mail-server.js';

const PATH = '/api/v1/test-email';
const MESSAGE = {
  to: 'ann@example.org',
  subject: 'Grüße',
  text: 'First line\nSecond line: ü\n',
  html: '<p>First line</p>\n<p>Second line: <b>ü</b></p>\n',
};

/** The options of a service. */
type Options = Readonly<Record<string, string | number>>;

const ACCOUNT = { SmtpUserName: 'service', SmtpPassword: 'a password' };

const keep = stopAfterEach();

function start(options: Options): Promise<TestApp> {
  return TestApp.start(Object.fromEntries(Object.entries(options).map(([name, value]) => [`Service_AppOptions__${name}`, String(value)])));
}

/** The options that make a service send mail to a port of this machine. */
const through = (port: number): Options => ({
  PublicUrl: MAILED_ADDRESS,
  SmtpHost: '127.0.0.1',
  SmtpPort: port,
  SmtpEmail: 'service@example.org',
  SmtpDisplayName: 'The "Service"',
});

/** A user with this address who may send a test message. */
async function administrator(server: TestApp, email: string | null): Promise<ApiClient> {
  const { id: tenantId } = await createTenant(server);
  const user = await createUser(server, { tenantId, email });
  await grant(server, { principal: holder.user(user), permission: Permission.ServerSettingsWrite, scope: at.server });
  const { key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
  return server.client({ 'x-personal-token': key });
}

/** Reads the newest message to an address. */
async function contentSentTo(mailServer: MailServer, address: string): Promise<Record<keyof MailContent, string | undefined>> {
  const { subject, text, html } = await mailServer.mailTo(address);
  // The parser counts the line break before a boundary as a part of the text.
  return { subject, text: text?.replace(/\n$/, ''), html: html?.replace(/\n$/, '') };
}

/** Expects that a test message cannot be sent and that one warning is logged. Returns the problem. */
async function failure(server: TestApp): Promise<unknown> {
  const warned = vi.spyOn(Logger.prototype, 'warn');
  const answer = await (await administrator(server, 'ann@example.org')).post(PATH);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(warned).toHaveBeenCalledTimes(1);
  return answer.body;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('with a mail server', () => {
  let mailServer: MailServer;
  let server: TestApp;
  let mail: MailService;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    server = await start({ ...through(mailServer.port), SmtpLocalDomain: 'service.example.org' });
    mail = server.app.get(MailService);
  });

  beforeEach(() => mailServer.reset());

  afterAll(async () => {
    await server.stop();
    await mailServer.stop();
  });

  it('delivers a test message to the caller', async () => {
    const answer = await (await administrator(server, 'ann@example.org')).post(PATH);
    expect([answer.status, answer.text]).toEqual([200, '']);
    const [received] = mailServer.received;
    expect(received).toMatchObject({ from: 'service@example.org', to: ['ann@example.org'], user: null, greeting: 'service.example.org' });
    expect(received.source).toContain('From: "The \\"Service\\"" <service@example.org>');
    expect(received.source).toContain('To: ann@example.org');
    expect(received.source).toContain('Subject: Test mail');
    const { text, html } = await mailServer.mailTo('ann@example.org');
    for (const part of [text, html]) {
      expect(part).toContain('An administrator sent this test mail. The server can send e-mail.');
      expect(part).toContain(`${MAILED_ADDRESS}/`);
    }
    expect(html).toContain('The &quot;Service&quot;');
    expect(text).toContain('The "Service"');
  });

  it('delivers every character of a message', async () => {
    expect(await mail.send(MESSAGE)).toBe(MailOutcome.Sent);
    const [{ source }] = mailServer.received;
    expect(source).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=');
    expect(source).toMatch(/\r\n\r\nFirst line\r\nSecond line: =C3=BC\r\n/);
    expect(await contentSentTo(mailServer, MESSAGE.to)).toEqual({ subject: MESSAGE.subject, text: MESSAGE.text, html: MESSAGE.html });
  });

  it('sends text and HTML as alternatives, of which programs show the last that they can', async () => {
    await mail.send(MESSAGE);
    const [{ source }] = mailServer.received;
    expect(source).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect([...source.matchAll(/^Content-Type: (text\/\w+)/gm)].map(([, type]) => type)).toEqual(['text/plain', 'text/html']);
    const { attachments } = await mailServer.mailTo(MESSAGE.to);
    expect(attachments).toEqual([]);
  });

  it('says that no person has sent it, and identifies it by the domain of the sender', async () => {
    await mail.send(MESSAGE);
    await mail.send(MESSAGE);
    const ids = mailServer.received.map(({ source }) => {
      expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
      return /^Message-ID: <[^@\s]+@([^>]+)>\r$/m.exec(source);
    });
    expect(ids.map((id) => id?.[1])).toEqual(['example.org', 'example.org']);
    expect(ids[0]?.[0]).not.toBe(ids[1]?.[0]);
    expect(mailServer.received[0].source).not.toMatch(/^X-Mailer/m);
  });

  it('sends every mail with its text and its link in both parts', async () => {
    for (const [name, content] of Object.entries(exampleMails(USUAL_NAMES))) {
      const to = `${name}@example.org`;
      await mail.send({ to, ...content });
      expect(await contentSentTo(mailServer, to)).toEqual(content);
    }
  });

  it('sends a mail later, without a wait for its caller', async () => {
    const held: (() => void)[] = [];
    mailServer.handlers = { onMailFrom: (_address, _session, done) => void held.push(done) };
    mail.sendLater(MESSAGE);
    await eventually('the mail is at the mail server', () => held.length === 1);
    expect(mailServer.received).toEqual([]);
    held[0]();
    expect(await mailServer.mailTo(MESSAGE.to)).toMatchObject({ subject: MESSAGE.subject });
  });

  it.each([
    { ...MESSAGE, to: 'ann@example.org, eve@example.org' },
    { ...MESSAGE, to: 'ann@example.org\r\nBcc: eve@example.org' },
    { ...MESSAGE, subject: 'Hello\r\nBcc: eve@example.org' },
  ])('nobody adds recipients or headers: %j', async (message) => {
    await expect(mail.send(message)).rejects.toThrow(DomainError);
    expect(mailServer.received).toEqual([]);
  });

  it('delivers a line that looks like the end of the message as text', async () => {
    await mail.send({ ...MESSAGE, text: 'a\r\n.\r\nRCPT TO:<eve@example.org>\r\n' });
    expect(mailServer.received).toMatchObject([{ to: ['ann@example.org'], source: expect.stringContaining('RCPT TO:<eve@example.org>') }]);
  });

  it('limits the number of messages that are sent at the same time', async () => {
    const held: (() => void)[] = [];
    let isOpen = false;
    mailServer.handlers = { onMailFrom: (_address, _session, done) => void (isOpen ? done() : held.push(done)) };
    const first = Array.from({ length: 10 }, () => mail.send(MESSAGE));
    await expect(mail.send(MESSAGE)).rejects.toThrow('too many messages');
    await eventually('ten messages are at the mail server', () => held.length === 10);
    isOpen = true;
    for (const proceed of held) proceed();
    expect(await Promise.all(first)).toEqual(first.map(() => MailOutcome.Sent));
    expect(await mail.send(MESSAGE)).toBe(MailOutcome.Sent);
    expect(mailServer.received).toHaveLength(11);
  });

  it('answers 503 when the mail server refuses the recipient', async () => {
    mailServer.handlers = { onRcptTo: (_address, _session, done) => done(new Error('No such person here')) };
    const body = await failure(server);
    expect(body).toMatchObject({ detail: expect.stringContaining('refused the sender or the recipient') });
    // The mail server's own words appear in the log only.
    expect(JSON.stringify(body)).not.toContain('No such person');
  });
});

it('tries once more to send what waits, before it stops', async () => {
  const mailServer = keep(await MailServer.start());
  const server = await start(through(mailServer.port));
  let refused = 0;
  const tryLater = Object.assign(new Error('Try again later'), { responseCode: 451 });
  mailServer.handlers = { onMailFrom: (_address, _session, done) => done(refused++ === 0 ? tryLater : null) };
  server.app.get(MailService).sendLater(MESSAGE);
  await eventually('the mail is refused for now', () => refused === 1 && server.app.get(MailQueue).isWaiting);
  await server.stop();
  expect(mailServer.received).toMatchObject([{ to: [MESSAGE.to] }]);
});

describe('with an account at the mail server', () => {
  let mailServer: MailServer;
  let server: TestApp;

  beforeAll(async () => {
    mailServer = await MailServer.start({ authOptional: false });
    server = await start({ ...through(mailServer.port), ...ACCOUNT });
  });

  beforeEach(() => mailServer.reset());

  afterAll(async () => {
    await server.stop();
    await mailServer.stop();
  });

  it('signs in with the configured account', async () => {
    mailServer.handlers = {
      onAuth: ({ username, password }, _session, done) =>
        username === 'service' && password === 'a password' ? done(null, { user: username }) : done(new Error('Wrong')),
    };
    expect((await (await administrator(server, 'ann@example.org')).post(PATH)).status).toBe(200);
    expect(mailServer.received).toMatchObject([{ user: 'service', to: ['ann@example.org'] }]);
  });

  it('answers 503 when the mail server refuses the sign-in', async () => {
    mailServer.handlers = { onAuth: (_auth, _session, done) => done(new Error('Wrong password')) };
    expect(await failure(server)).toMatchObject({ detail: expect.stringContaining('sign-in') });
  });
});

describe('with a mail server that cannot be used', () => {
  it('answers 503 when nothing listens on its port', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    // The port of an existing connection: nobody else can listen there in the meantime.
    const connection = connect((listener.address() as AddressInfo).port, '127.0.0.1');
    try {
      await once(connection, 'connect');
      const server = keep(await start(through(Number(connection.localPort))));
      expect(await failure(server)).toMatchObject({ detail: expect.stringContaining('cannot be reached') });
    } finally {
      connection.destroy();
      listener.close();
    }
  });

  it('answers 503 when its certificate cannot be trusted, and sends neither password nor message', async () => {
    const passwords: unknown[] = [];
    // The server library warns that its built-in certificate is public, which is intended here.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const mailServer = keep(await MailServer.start({ disabledCommands: [] }));
    mailServer.handlers = {
      onAuth: ({ password }, _session, done) => {
        passwords.push(password);
        done(null, { user: 'service' });
      },
    };
    const server = keep(await start({ ...through(mailServer.port), ...ACCOUNT }));
    expect(await failure(server)).toMatchObject({ detail: expect.stringMatching(/trusted|encrypted/) });
    expect([passwords, mailServer.received]).toEqual([[], []]);
  });
});

it('answers 409 to a test message while mail is switched off', async () => {
  const server = keep(await start({ DisableEmailSending: 'true' }));
  const answer = await (await administrator(server, 'ann@example.org')).post(PATH);
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ detail: expect.stringContaining('turned off') });
  expect(await server.app.get(MailService).send(MESSAGE)).toBe(MailOutcome.NotSent);
});

it('answers 409 where only a mail would be sent, and there is no mail server', async () => {
  const server = keep(await start({ PublicUrl: MAILED_ADDRESS, EnableInteractiveBearerLogin: 'true' }));
  const noServer = { status: 409, body: { detail: expect.stringContaining('no mail server') as string } };
  expect(await (await administrator(server, 'ann@example.org')).post(PATH)).toMatchObject(noServer);
  const person = await createPerson(server, { tenantId: (await createTenant(server)).id });
  const asked = { body: { email: person.userName } };
  for (const path of ['/account/password/forgot', '/account/email/resend-confirmation']) {
    expect(await new Browser(server).post(path, asked.body)).toMatchObject(noServer);
  }
  const newEmail = 'other@example.org';
  expect(await (await browserOf(server, person)).post('/account/email/change', { newEmail })).toMatchObject(noServer);
  for (const path of ['/api/auth/forgotPassword', '/api/auth/resendConfirmationEmail'])
    expect((await server.client({}).post(path, asked)).status).toBe(200);
  const { id: tenantId } = await createTenant(server);
  const invited = await server.client().post('/api/v1/invites', { query: { tenantId }, body: { inviteeEmail: newEmail } });
  expect(invited.as<{ inviteUrl: string }>().inviteUrl).toMatch(/\/invite-confirmation\/\S+$/);
  expect(await server.app.get(MailService).send(MESSAGE)).toBe(MailOutcome.NotSent);
  await server.app.get(AfterAnswer).idle();
  await expect(readdir(join(server.dataPath, 'mail'))).rejects.toThrow('ENOENT');
});

describe('in development without a mail server', () => {
  const server = testServer({ NODE_ENV: 'development' });
  let folder: string;

  beforeEach(async () => {
    folder = join(server.dataPath, 'mail');
    await rm(folder, { recursive: true, force: true });
  });

  it('sends a test message only to users with an address', async () => {
    const byAccount = await server.client().post(PATH);
    expect(byAccount.status).toBe(400);
    expect(byAccount.body).toMatchObject({ detail: expect.stringContaining('service account') });
    const withoutAddress = await (await administrator(server, null)).post(PATH);
    expect(withoutAddress.status).toBe(400);
    expect(withoutAddress.body).toMatchObject({ detail: expect.stringContaining('no e-mail address') });
  });

  it('writes a message to the private mail folder, and logs one line', async () => {
    const client = await administrator(server, 'ann@example.org');
    const logged = vi.spyOn(Logger.prototype, 'log');
    expect((await client.post(PATH)).status).toBe(200);
    const [name, ...more] = await readdir(folder);
    expect(more).toEqual([]);
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT.*\.eml$/);
    const file = join(folder, name ?? '');
    const source = await readFile(file, 'utf8');
    expect(source).toContain('To: ann@example.org\r\n');
    expect(source).toContain('Subject: Test mail\r\n');
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(folder)).mode & 0o777).toString(8)).toBe('700');
    expect(logged.mock.calls.map(([line]) => line)).toEqual([
      `No mail server is configured: the message "Test mail" to ann@example.org was written to ${file}`,
    ]);
  });

  it('keeps only the newest messages in the folder, and files of others', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const old = Array.from({ length: MAXIMUM_KEPT_MESSAGES }, (_, i) => `2020-01-01T00-00-00-${String(i).padStart(3, '0')}Z-old.eml`);
    for (const name of old) await writeFile(join(folder, name), 'old');
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => server.app.get(MailService).send(MESSAGE)));
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => MailOutcome.Kept));
    const names = await readdir(folder);
    expect(names).toHaveLength(MAXIMUM_KEPT_MESSAGES + 1);
    expect(names).toContain('notes.txt');
    expect(names.filter((name) => old.slice(0, 5).includes(name))).toEqual([]);
    expect(names).toContain(old[5]);
  });
});
