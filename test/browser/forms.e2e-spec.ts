import { beforeAll, describe, it } from 'vitest';
import type { Page } from 'playwright-core';

import type { User } from '../../src/people/users/user.entity.js';
import { invalidFields } from '../../src/platform/common/errors/errors.js';
import { PROBLEM_MEDIA_TYPE, refusalOf } from '../../src/platform/http/problems/problem-details.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import { addressesIn } from './support/addresses.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { fill } from './support/form.js';
import { frontEnd, Windows } from './support/front-end.js';

/*
 * Every form when the service finds fault with its values: a sentence beside each field that it is about, and above the form those that
 * are about none of them.
 */

interface FormPlace {
  readonly at: string;
  /** The button that opens the form, where it is not on the page at once. */
  readonly opener?: string;
  /** The button that sends it. */
  readonly submit: string;
  /** The button to press before it can be sent. */
  readonly press?: RegExp;
  /** Its button stands beside the form, in its dialog. */
  readonly isDialog?: boolean;
  /** User who sees it, if not the administrator. */
  readonly as?: 'nobody' | 'userWithTemporaryPassword';
}

const FORMS: readonly FormPlace[] = [
  { at: '/customers', opener: 'Create customer', submit: 'Create' },
  { at: '/device-groups', opener: 'Create group', submit: 'Create' },
  { at: '/tags', opener: 'Create tag', submit: 'Create' },
  { at: '/users', opener: 'Create user', submit: 'Create' },
  { at: '/invites', opener: 'Invite', submit: 'Invite' },
  { at: '/user-groups', opener: 'Create user group', submit: 'Create' },
  { at: '/service-accounts', opener: 'Create service account', submit: 'Create' },
  { at: '/service-accounts/$serviceAccountId', opener: 'Create key', submit: 'Create' },
  { at: '/server/service-accounts', opener: 'Create service account', submit: 'Create' },
  { at: '/server/tenants', opener: 'Create tenant', submit: 'Create' },
  { at: '/server/alert', submit: 'Save' },
  { at: '/deploy', submit: 'Create key' },
  { at: '/settings', submit: 'Save' },
  { at: '/welcome', submit: 'Save and continue' },
  { at: '/account/profile', submit: 'Save' },
  { at: '/account/profile', submit: 'Change address' },
  { at: '/account/preferences', submit: 'Save' },
  { at: '/account/security', opener: 'Change password', submit: 'Change password' },
  { at: '/account/tokens', opener: 'Create token', submit: 'Create token', press: /^Read Device, /, isDialog: true },
  { at: '/signin', submit: 'Sign in', as: 'nobody' },
  { at: '/forgot', submit: 'Send link', as: 'nobody' },
  { at: '/reset#code=some', submit: 'Set password', as: 'nobody' },
  { at: '/register', submit: 'Register', as: 'nobody' },
  { at: '/invite-confirmation/$code', submit: 'Join', as: 'nobody' },
  { at: '/password-change-required', submit: 'Set password', as: 'userWithTemporaryPassword' },
];

/** Refusals that the service is made to answer. */
const REFUSED = /^400 /;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`wrong input in forms${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, { Service_AppOptions__EnablePublicRegistration: 'true' });
  let administrator: User;
  let userWithTemporaryPassword: User;
  let windows: Windows;
  let addressOf: (pattern: string) => string;

  beforeAll(async () => {
    administrator = await app.administrator();
    userWithTemporaryPassword = await createPerson(app.server, { tenantId: administrator.tenantId, requirePasswordChange: true });
    windows = new Windows(app, { user: administrator, allowedRefusals: [REFUSED] });
    addressOf = await addressesIn(new Scene(app.server, await app.tenantOf(administrator)));
  });

  it.concurrent.for(FORMS)('$at, $submit', async ({ at, opener, submit, press, isDialog, as }, test) => {
    const { expect } = test;
    const user = as === 'userWithTemporaryPassword' ? userWithTemporaryPassword : undefined;
    const window =
      as === undefined ? await windows.take(test) : await app.open(test, { user, allowedRefusals: ['401 GET /account/session', REFUSED] });
    const { page } = window;
    await window.follow(addressOf(at));
    if (opener !== undefined) await page.getByRole('button', { name: opener, exact: true }).first().click();
    const form =
      isDialog === true
        ? page.getByRole('dialog')
        : page.locator('form', { has: page.getByRole('button', { name: submit, exact: true }) }).last();
    await form.waitFor();
    await fill(form);
    if (press !== undefined) await form.getByRole('button', { name: press }).click();

    const untilSent = await refuseFields(page);
    await form.getByRole('button', { name: submit, exact: true }).click();
    const fields = await untilSent();
    expect(fields).not.toEqual([]);
    for (const name of fields) {
      // Lists and switches that a form sends along have no field of their own there.
      const field = form.locator(`[name="${name}"]:is(input:not([type=hidden], [type=radio], [type=checkbox]), textarea, select)`);
      await form.getByText(sentenceAbout(name)).waitFor();
      if ((await field.count()) === 0) continue;
      expect(await field.getAttribute('aria-invalid'), name).toBe('true');
      const described = ((await field.getAttribute('aria-describedby')) ?? '').split(' ').map((id) => `#${escaped(id)}`);
      expect(await page.locator(described.join(', ')).allInnerTexts(), name).toContain(sentenceAbout(name));
    }
    expect(await window.check.accessibility()).toEqual([]);
  });
});

const sentenceAbout = (field: string): string => `The service does not like ${field}.`;
/** Ids that React makes contain colons. */
const escaped = (id: string): string => id.replaceAll(/[^\w-]/g, (character) => `\\${character}`);

/** Calls that pages make by themselves. */
const READS = /(?:search|device-permissions|options)$/;

/** Lets the service refuse every field of the next write. Returns a wait for that, with the names of the sent fields. */
async function refuseFields(page: Page): Promise<() => Promise<readonly string[]>> {
  let resolve: (fields: readonly string[]) => void = () => undefined;
  const sent = new Promise<readonly string[]>((done) => (resolve = done));
  const isCall = ({ pathname }: URL): boolean => /^\/(?:api|account)\//.test(pathname) && !READS.test(pathname);
  await page.route(isCall, async (route) => {
    const request = route.request();
    if (request.method() === 'GET') return route.continue();
    const fields = Object.keys(request.postDataJSON() as Readonly<Record<string, unknown>>);
    const { problem } = refusalOf(invalidFields(Object.fromEntries(fields.map((name) => [name, [sentenceAbout(name)]]))));
    await route.fulfill({ status: problem.status, contentType: PROBLEM_MEDIA_TYPE, body: JSON.stringify(problem) });
    resolve(fields);
  });
  return () => sent;
}
