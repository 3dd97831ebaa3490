import { describe, expect, it } from 'vitest';

import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import { createTenant } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, WITHOUT_USERS } from './support/front-end.js';

/*
 * The first visit of a server that has no user.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const without = hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`;
const SIGNED_OUT = ['401 GET /account/session'];

suite(`a server without users where no one can register${without}`, () => {
  const app = frontEnd(built, { ...WITHOUT_USERS, Service_AppOptions__DisableFirstUserSelfRegistration: 'true' });

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 390, height: 844 }],
  ] as const)('says how its operator creates the first administrator, in a %s window of %j', async (colorScheme, viewport) => {
    const window = await app.openForAll({ allowedRefusals: SIGNED_OUT, colorScheme, viewport });
    const { page } = window;
    for (const path of ['/devices', '/register']) {
      await window.goTo(path);
      await page.getByRole('heading', { level: 1, name: 'No one can sign in yet' }).waitFor();
      for (const name of ['Service_Bootstrap__AdminEmail', 'secrets/Bootstrap__AdminPassword'])
        await page.getByText(name, { exact: true }).waitFor();
      expect(await page.getByLabel('Password', { exact: true }).and(page.locator('input')).count()).toBe(0);
    }
    expect(await window.check.accessibility({})).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
    window.expectNoOffences();
  });

  it('offers the sign-in once there is a user', async (test) => {
    const window = await app.open(test, { allowedRefusals: SIGNED_OUT });
    const { page } = window;
    await window.goTo('/signin');
    await page.getByRole('heading', { name: 'No one can sign in yet' }).waitFor();
    await createPerson(app.server, { tenantId: (await createTenant(app.server)).id });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });
});

suite(`a server without users where the first may register${without}`, () => {
  const app = frontEnd(built, WITHOUT_USERS);

  it('leads its first visitor to the registration of the administrator', async (test) => {
    const window = await app.open(test, { allowedRefusals: SIGNED_OUT });
    await window.goTo('/devices');
    await window.page.waitForURL('**/register');
    await window.page.getByRole('heading', { level: 1, name: 'Set up this server' }).waitFor();
    await window.page.getByText("You're the first user. Your account will administer the server.").waitFor();
  });
});
