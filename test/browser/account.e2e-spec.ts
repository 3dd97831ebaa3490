import { describe, expect, it } from 'vitest';

import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { authenticatorCode } from '../support/callers/authenticator-app.js';
import { createPerson } from '../support/callers/browser.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

/*
 * Changes of users on the pages of their own account, and their effects on the next sign-in.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the pages of the own account${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);

  it('set up an authenticator app, and show its recovery codes this once', async (test) => {
    const { tenantId } = await app.administrator();
    const user = await createPerson(app.server, { tenantId });
    const window = await app.open(test, { user, allowedRefusals: ['503 POST /account/two-factor/disable'] });
    const { page } = window;
    await window.goTo('/account/security');
    await page.getByRole('button', { name: 'Set up authenticator app' }).click();
    const key = await page.getByRole('group', { name: 'Key', exact: true }).innerText();
    await page.getByRole('textbox', { name: 'Code from the app' }).focus();
    // The last digit sends the form.
    await page.keyboard.type(authenticatorCode(key.trim(), app.server.clock.milliseconds()));

    const codes = await page.getByRole('group', { name: 'Recovery codes' }).innerText();
    expect(codes.trim().split(/\s+/)).toHaveLength(10);
    await page.getByLabel("I've stored it").check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('10 recovery codes left').waitFor();
    expect(await page.content()).not.toContain(codes.trim().split(/\s+/)[0]);

    // A failure is not shown again by the next opening.
    await page.route(/\/two-factor\/disable$/, (route) => route.fulfill({ status: 503, json: { detail: 'Try again later.' } }));
    const turnOff = page.getByRole('button', { name: 'Turn off' });
    const dialog = page.getByRole('dialog');
    await turnOff.click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByText('Try again later.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await turnOff.click();
    await dialog.waitFor();
    expect(await dialog.getByText('Try again later.').count()).toBe(0);
    await page.unroute(/\/two-factor\/disable$/);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor();
  });
});
