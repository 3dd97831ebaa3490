import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { AuthenticatorKeyDto, RecoveryCodesDto } from '../../../src/people/two-factor/two-factor.dto.js';
import { Authenticator, RecoveryCode } from '../../../src/people/two-factor/two-factor.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { authenticatorCode } from '../../support/callers/authenticator-app.js';
import { Browser, browserOf, createPerson, PASSWORD } from '../../support/callers/browser.js';
import { changesOf, detailOf, statusesOf } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testTenant } from '../../support/setup/test-server.js';

const MINUTE = 60_000;
const STEP = 30_000;

const { server, mails } = testServerWithMail();
const tenant = testTenant(server);
let user: User;
let browser: Browser;

beforeAll(() => server.clock.stop());
beforeEach(async () => {
  user = await createPerson(server, { tenantId: tenant.id });
  browser = await browserOf(server, user);
});

/** The code that an app with the key shows now. */
const codeOf = (sharedKey: string): string => authenticatorCode(sharedKey, server.clock.milliseconds());

/** Sets up an app and switches two-factor sign-in on. */
async function enable(): Promise<{ readonly key: string; readonly recoveryCodes: readonly string[] }> {
  const { sharedKey } = (await browser.post('/account/two-factor/setup')).as<AuthenticatorKeyDto>();
  const answer = await browser.post('/account/two-factor/enable', { code: codeOf(sharedKey) });
  server.clock.advance(STEP);
  return { key: sharedKey, ...answer.as<RecoveryCodesDto>() };
}

const signIn = (more: object = {}): Promise<ApiAnswer> => new Browser(server).signIn(user, PASSWORD, more);

describe('switching two-factor sign-in on', () => {
  it('takes a key for the app and a code of it, and gives ten recovery codes', async () => {
    const key = (await browser.post('/account/two-factor/setup')).as<AuthenticatorKeyDto>();
    expect(new URL(key.uri).searchParams.get('issuer')).toBe('Device Management');
    expect((await browser.get('/account/two-factor')).body).toEqual({ isEnabled: false, recoveryCodesLeft: 0 });
    expect((await signIn()).body).toMatchObject({ outcome: 'SignedIn' });
    expect((await browser.post('/account/two-factor/enable', { code: '000000' })).status).toBe(400);
    const answer = await browser.post('/account/two-factor/enable', { code: codeOf(key.sharedKey) });
    expect((answer.body as RecoveryCodesDto).recoveryCodes).toHaveLength(10);
    expect((await browser.get('/account/two-factor')).body).toEqual({ isEnabled: true, recoveryCodesLeft: 10 });
    expect((await browser.post('/account/two-factor/setup')).status).toBe(409);
    expect((await changesOf(server, user.id)).map(({ action }) => action)).toEqual(['user-two-factor-enabled']);
  });

  it('keeps the session in which it happens and ends the others', async () => {
    const other = await browserOf(server, user);
    await enable();
    expect([(await browser.get('/account/two-factor')).status, (await other.get('/account/two-factor')).status]).toEqual([200, 401]);
  });

  it('needs an app that was set up, and a proof that is not too old', async () => {
    expect(detailOf(await browser.post('/account/two-factor/enable', { code: '000000' }))).toBe('Set up an authenticator app first.');
    server.clock.advance(16 * MINUTE);
    const answer = await browser.post('/account/two-factor/setup');
    expect([answer.status, answer.body]).toMatchObject([403, { reason: 'StepUpRequired' }]);
    await browser.post('/account/step-up', { password: PASSWORD });
    expect((await browser.post('/account/two-factor/setup')).status).toBe(200);
  });
});

describe('signing in with two factors', () => {
  it('asks for a code after the right password only', async () => {
    const { key } = await enable();
    expect((await signIn()).body).toEqual({ outcome: 'TwoFactorRequired', mustChangePassword: false });
    expect((await new Browser(server).signIn(user, 'Wrong-Horse-7', { twoFactorCode: codeOf(key) })).status).toBe(401);
    expect((await signIn({ twoFactorCode: '000000' })).status).toBe(401);
    expect((await signIn({ twoFactorCode: codeOf(key) })).body).toMatchObject({ outcome: 'SignedIn' });
  });

  it('takes each code once, also when it is sent several times at once', async () => {
    const { key } = await enable();
    const twoFactorCode = codeOf(key);
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn({ twoFactorCode })));
    expect(statusesOf(answers)).toEqual([200, 401, 401, 401]);
    expect((await signIn({ twoFactorCode })).status).toBe(401);
  });

  it('takes each recovery code once, and counts them', async () => {
    const { recoveryCodes } = await enable();
    const [recoveryCode] = recoveryCodes;
    const answers = await Promise.all([1, 2, 3].map(() => signIn({ recoveryCode: recoveryCode.toUpperCase() })));
    expect(statusesOf(answers)).toEqual([200, 401, 401]);
    expect((await browser.get('/account/two-factor')).body).toEqual({ isEnabled: true, recoveryCodesLeft: 9 });
  });

  it('counts wrong codes like wrong passwords, and a missing code not at all', async () => {
    await enable();
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await signIn()).body).toMatchObject({ outcome: 'TwoFactorRequired' });
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn({ twoFactorCode: '000000' });
    expect(detailOf(await new Browser(server).signIn(user))).toBe('Too many attempts failed. Try again in 5 minutes.');
  });

  it('lets a code prove the identity once more', async () => {
    const { key } = await enable();
    expect((await browser.post('/account/step-up', { twoFactorCode: '000000' })).status).toBe(401);
    expect((await browser.post('/account/step-up', { twoFactorCode: codeOf(key) })).status).toBe(200);
    expect((await browser.post('/account/step-up')).status).toBe(400);
  });
});

it('new recovery codes replace the former ones', async () => {
  const { recoveryCodes } = await enable();
  const renewed = (await browser.post('/account/two-factor/recovery-codes')).as<RecoveryCodesDto>();
  expect((await signIn({ recoveryCode: recoveryCodes[0] })).status).toBe(401);
  expect((await signIn({ recoveryCode: renewed.recoveryCodes[0] })).status).toBe(200);
});

it('switching it off forgets the app and the codes', async () => {
  await enable();
  expect((await browser.post('/account/two-factor/disable')).status).toBe(204);
  expect((await signIn()).body).toMatchObject({ outcome: 'SignedIn' });
  const { manager } = server.dataSource;
  expect([await manager.countBy(Authenticator, { userId: user.id }), await manager.countBy(RecoveryCode, { userId: user.id })]).toEqual([
    0, 0,
  ]);
  expect((await browser.post('/account/two-factor/recovery-codes')).status).toBe(409);
});

it('tells the user by mail when a recovery code was used, and when it was switched off', async () => {
  const { recoveryCodes } = await enable();
  const subject = async (): Promise<string | undefined> => (await mails().mailTo(user.userName)).subject;
  await signIn({ recoveryCode: recoveryCodes[0] });
  expect(await subject()).toBe('A recovery code was used');
  await browser.post('/account/two-factor/disable');
  await eventually('the second mail has come', async () => (await subject()) === 'Two-factor sign-in was turned off');
});
