import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../../../src/access/authentication/sessions/session-cookie.js';
import type { InviteResponseDto } from '../../../src/people/invites/invite.dto.js';
import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import type { AuthenticatorKeyDto, RecoveryCodesDto } from '../../../src/people/two-factor/two-factor.dto.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { authenticatorCode } from '../../support/callers/authenticator-app.js';
import { Browser, browserOf, createPerson, openSession, PASSWORD } from '../../support/callers/browser.js';
import { createDevice } from '../../support/fixtures/factories.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testTenant } from '../../support/setup/test-server.js';

/*
 * Guesses at each secret of people. Short ones, passwords and codes of apps, can be guessed five times, whichever routes take them. Long
 * ones cannot be guessed at all, and guesses neither use them up nor end what they opened: that would let anybody do so.
 */

const WRONG_PASSWORD = 'Wrong-Horse-7';
const NEW_PASSWORD = 'Other-Horse-8';
const STEP_MS = 30_000;

const { server, codeTo } = testServerWithMail({ Service_AppOptions__EnableInteractiveBearerLogin: 'true' });
const tenant = testTenant(server);
let user: User;
let browser: Browser;

beforeAll(() => server.clock.stop());
beforeEach(async () => {
  user = await createPerson(server, { tenantId: tenant.id });
  browser = await browserOf(server, user);
  // Each test has rate limits of its own.
  server.clock.advance(60_000);
});

/** Secrets offered as a proof of identity. */
interface Offer {
  readonly password: string;
  readonly twoFactorCode?: string;
  readonly twoFactorRecoveryCode?: string;
}

const post = (path: string, body: object): Promise<ApiAnswer> => server.client({}).post(path, { body });
const withEmail = (offer: Offer): object => ({ email: user.userName, ...offer });

/** Verdict on the proof, from the answer to a sign-in. */
type Verdict = 'accepted' | 'refused' | 'locked';

function verdictOf({ status, body, text }: ApiAnswer): Verdict {
  const { isLockedOut = false } = (body ?? {}) as { isLockedOut?: boolean };
  if (isLockedOut || /Too many attempts failed|LockedOut/.test(text)) return 'locked';
  return status === 200 || status === 204 ? 'accepted' : 'refused';
}

/** Every route on which a user without a session proves their identity. */
const FROM_OUTSIDE: readonly ((offer: Offer) => Promise<ApiAnswer>)[] = [
  ({ twoFactorRecoveryCode: recoveryCode, ...offer }) => post('/account/sign-in', { userName: user.userName, ...offer, recoveryCode }),
  (offer) => post('/api/auth/login', withEmail(offer)),
  (offer) => post('/api/auth/interactive-login', withEmail(offer)),
];

/** Every route on which the password is asked for. */
const FOR_PASSWORDS: readonly ((password: string) => Promise<ApiAnswer>)[] = [
  ...FROM_OUTSIDE.map((prove) => (password: string) => prove({ password })),
  (password) =>
    post('/api/auth/change-password-with-credentials', { email: user.userName, currentPassword: password, newPassword: NEW_PASSWORD }),
];

/** Every route on which the password is asked for in a session, which counts its failures for itself. */
const IN_SESSION: readonly ((password: string) => Promise<ApiAnswer>)[] = [
  (password) => browser.post('/account/step-up', { password }),
  (password) => browser.post('/account/password', { currentPassword: password, newPassword: NEW_PASSWORD }),
  (password) => browser.post('/api/auth/change-password', { currentPassword: password, newPassword: NEW_PASSWORD }),
];

/** Tries a wrong proof five times, on one route after the other, and then the right one on each. */
async function guess<T>(routes: readonly ((proof: T) => Promise<ApiAnswer>)[], wrong: T, right: T): Promise<readonly Verdict[][]> {
  const wrongs: Verdict[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) wrongs.push(verdictOf(await routes[attempt % routes.length](wrong)));
  const rights: Verdict[] = [];
  for (const prove of routes) rights.push(verdictOf(await prove(right)));
  return [wrongs, rights];
}

const FOUR_REFUSED_THEN_LOCKED: readonly Verdict[] = ['refused', 'refused', 'refused', 'refused', 'locked'];

describe('guesses at a short secret lock where they come from', () => {
  it.each([0, 2])('a password, beginning with route %d of those that take one', async (first) => {
    const routes = [...FOR_PASSWORDS.slice(first), ...FOR_PASSWORDS.slice(0, first)];
    expect(await guess(routes, WRONG_PASSWORD, PASSWORD)).toEqual([FOUR_REFUSED_THEN_LOCKED, routes.map(() => 'locked')]);
  });

  it('a password, in a session', async () => {
    expect(await guess(IN_SESSION, WRONG_PASSWORD, PASSWORD)).toEqual([FOUR_REFUSED_THEN_LOCKED, IN_SESSION.map(() => 'locked')]);
  });

  describe('with two factors', () => {
    let key: string;
    let recoveryCode: string;

    beforeEach(async () => {
      key = (await browser.post('/account/two-factor/setup')).as<AuthenticatorKeyDto>().sharedKey;
      const code = authenticatorCode(key, server.clock.milliseconds());
      [recoveryCode] = (await browser.post('/account/two-factor/enable', { code })).as<RecoveryCodesDto>().recoveryCodes;
      server.clock.advance(STEP_MS);
    });

    it('the code of the app', async () => {
      const routes = [
        ...FROM_OUTSIDE.map((prove) => (twoFactorCode: string) => prove({ password: PASSWORD, twoFactorCode })),
        (twoFactorCode: string) => {
          const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
          return post('/api/auth/change-password-with-credentials', { email: user.userName, ...change, twoFactorCode });
        },
      ];
      const right = authenticatorCode(key, server.clock.milliseconds());
      const wrong = right === '000000' ? '000001' : '000000';
      expect(await guess(routes, wrong, right)).toEqual([FOUR_REFUSED_THEN_LOCKED, routes.map(() => 'locked')]);
    });

    it('a recovery code, which is as good as before afterwards', async () => {
      const routes = FROM_OUTSIDE.map((prove) => (twoFactorRecoveryCode: string) => prove({ password: PASSWORD, twoFactorRecoveryCode }));
      const wrong = 'aaaa-aaaa-aaaa-aaaa';
      expect(await guess(routes, wrong, recoveryCode)).toEqual([FOUR_REFUSED_THEN_LOCKED, routes.map(() => 'locked')]);
      server.clock.advance(5 * 60_000);
      expect(verdictOf(await routes[0](recoveryCode))).toBe('accepted');
    });
  });
});

/** A long secret: its text, a mark if it works only once, and a call that tries to open with a text what the secret opens. */
interface LongSecret {
  readonly text: string;
  readonly worksOnce: boolean;
  readonly opens: (text: string) => Promise<boolean>;
}

const succeeds = (answer: ApiAnswer): boolean => answer.status < 400;

const LONG: [what: string, make: () => Promise<LongSecret>][] = [
  [
    'the code that resets a password',
    async () => {
      await new Browser(server).post('/account/password/forgot', { email: user.userName });
      const opens = async (code: string): Promise<boolean> =>
        succeeds(await new Browser(server).post('/account/password/reset', { code, newPassword: NEW_PASSWORD }));
      return { text: await codeTo(user.userName), worksOnce: true, opens };
    },
  ],
  [
    'the code that changes the address',
    async () => {
      const newEmail = `${newGuid()}@example.org`;
      (await browser.post('/account/email/change', { newEmail })).as();
      const opens = async (code: string): Promise<boolean> => succeeds(await new Browser(server).post('/account/email/confirm', { code }));
      return { text: await codeTo(newEmail), worksOnce: true, opens };
    },
  ],
  [
    'the code of an invite',
    async () => {
      const email = `${newGuid()}@example.org`;
      const made = await server.client().post('/api/v1/invites', { query: { tenantId: tenant.id }, body: { inviteeEmail: email } });
      const opens = async (activationCode: string): Promise<boolean> => {
        const answer = await new Browser(server).post('/api/invites/accept', { activationCode, email, password: PASSWORD });
        return answer.status === 200 && answer.as<{ isSuccessful: boolean }>().isSuccessful;
      };
      return { text: made.as<InviteResponseDto>().inviteUrl.split('/').at(-1) ?? '', worksOnce: true, opens };
    },
  ],
  [
    'a logon token',
    async () => {
      const device = await createDevice(server, { tenantId: tenant.id });
      const body = { tenantId: tenant.id, deviceId: device.id, userCorrelationId: newGuid() };
      const made = await server.client().post('/api/v1/logon-tokens/external', { body });
      const opens = async (logonToken: string): Promise<boolean> =>
        succeeds(await new Browser(server).get('/device-access', { query: { deviceId: device.id, logonToken } }));
      return { text: made.as<LogonTokenResponseDto>().token, worksOnce: true, opens };
    },
  ],
  [
    'the cookie of a session',
    async () => {
      const [, text] = (await openSession(server, user)).split('=');
      const opens = async (value: string): Promise<boolean> =>
        succeeds(await server.client({ cookie: `${SESSION_COOKIE}=${value}` }).get('/account/security-log'));
      return { text, worksOnce: false, opens };
    },
  ],
  [
    'an access token',
    async () => {
      const login = await post('/api/auth/login', { email: user.userName, password: PASSWORD });
      const { accessToken } = login.as<{ accessToken: string }>();
      const opens = async (token: string): Promise<boolean> =>
        succeeds(await server.client({ authorization: `Bearer ${token}` }).get('/api/auth/me'));
      return { text: accessToken, worksOnce: false, opens };
    },
  ],
];

/** Texts that are nearly the secret, and some of the same length that are not. */
function near(text: string): string[] {
  const other = text.endsWith('A') ? 'B' : 'A';
  const half = Math.floor(text.length / 2);
  const ofOtherCase = text.slice(half).replace(/[a-z]/i, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
  return [
    text.slice(0, -1),
    `${text.slice(0, -1)}${other}`,
    `${text}${other}`,
    `${text.slice(0, half)}${ofOtherCase}`,
    `${text.slice(0, half)}${'A'.repeat(text.length - half)}`,
    ...Array.from({ length: 10 }, (_, index) => `${text.slice(0, -2)}${other}${index}`),
  ];
}

describe('guesses at a long secret come to nothing, and leave it as it is', () => {
  it.each(LONG)('%s', async (_what, make) => {
    const { text, worksOnce, opens } = await make();
    expect(text.length).toBeGreaterThan(32);
    for (const wrong of near(text)) expect([wrong, await opens(wrong)]).toEqual([wrong, false]);
    expect([await opens(text), await opens(text)]).toEqual([true, !worksOnce]);
  });
});
