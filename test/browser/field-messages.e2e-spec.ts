import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

/*
 * What forms say about values that the browser refuses: sentences of the product beside the fields, not those of the browser.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`messages about fields${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, { Service_AppOptions__EnablePublicRegistration: 'true' });

  /** The sentences that the invalid fields of the page are described by, and those that the browser has for them. */
  const saidOn = (page: Page): Promise<{ readonly ours: string[]; readonly ofBrowser: string[] }> =>
    page.evaluate(`(() => {
      const invalid = [...document.querySelectorAll('form input[aria-invalid=true]')];
      const ids = invalid.flatMap((input) => (input.getAttribute('aria-describedby') ?? '').split(' '));
      return {
        ours: ids.map((id) => document.getElementById(id)?.innerText ?? '').filter((text) => text !== ''),
        ofBrowser: invalid.map((input) => input.validationMessage),
      };
    })()`);

  it('at registration are those of the product, for each fault of the values', async (test) => {
    const window = await app.open(test, { allowedRefusals: ['401 GET /account/session'] });
    const { page } = window;
    await window.goTo('/register');
    const form = page.locator('form');
    expect(await form.getAttribute('novalidate')).toBe('');
    const [email, password] = [page.getByLabel('E-mail', { exact: true }), page.getByLabel('Password', { exact: true })];
    const submit = page.getByRole('button', { name: 'Register', exact: true });

    await submit.click();
    await form.getByText('This field is required.').first().waitFor();
    expect((await saidOn(page)).ours).toEqual(['This field is required.', 'This field is required.']);

    await email.fill('robin');
    // Only what is typed can be too short.
    await password.fill('');
    await password.pressSequentially('Abc1');
    await submit.click();
    await form.getByText('Use at least 8 characters.').waitFor();
    const { ours, ofBrowser } = await saidOn(page);
    expect(ours).toEqual(['Enter an e-mail address, such as name@example.org.', 'Use at least 8 characters.']);
    // The browser has sentences of its own for them, which are nowhere on the page.
    for (const sentence of ofBrowser) expect(await page.getByText(sentence).count()).toBe(0);
    expect(await window.check.accessibility()).toEqual([]);

    await email.fill('robin@example.org');
    await form.getByText('Enter an e-mail address').waitFor({ state: 'detached' });
  });
});
