import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';

import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson, openSession } from '../support/callers/browser.js';
import { createKeyedDevice, ReferenceAgent, waitOnline } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { createPersonalAccessToken, createTenant } from '../support/fixtures/factories.js';
import { addressesIn } from './support/addresses.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { DIALOGS, type DialogStep } from './support/dialogs.js';
import { frontEnd, type Window } from './support/front-end.js';

/*
 * The focus in every dialog, drawer and sheet: it goes into the one on top, stays there, and goes back when Escape closes it. All take
 * turns in one window.
 */

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The dialogs that are open, and not on their way out. The last one is on top. */
const OPEN = `[...document.querySelectorAll('[role=dialog], [role=alertdialog]')].filter((each) => !each.hasAttribute('data-ending-style') && each.checkVisibility())`;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the focus in dialogs${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let window: Window;
  let agent: ReferenceAgent;
  let addressOf: (pattern: string) => string;

  beforeAll(async () => {
    const administrator = await app.administrator();
    const tenant = await app.tenantOf(administrator);
    const person = await createPerson(app.server, { tenantId: tenant.id });
    const addresses = await addressesIn(new Scene(app.server, tenant));
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, tenant, { alias: 'Alpha' }));
    addressOf = (pattern) => addresses(pattern.replace('$deviceId', agent.device.id).replace('$userId', person.id));
    await createTenant(app.server, { name: 'Fabrikam' });
    await createPersonalAccessToken(app.server, administrator);
    await createPersonalAccessToken(app.server, person);
    const body = { name: 'Rack', type: 'Text', choices: null, isListed: true };
    (await app.server.client().post('/api/inventory/fields', { query: { tenantId: tenant.id }, body })).as();
    await waitOnline(app.server, agent.device.id);
    await openSession(app.server, administrator);
    window = await app.openForAll({ user: administrator, viewport: DESKTOP });
  });

  afterAll(() => agent?.stop());

  /** Takes a step, and returns what has to get the focus back. */
  const take = async (page: Page, step: DialogStep): Promise<Locator | null> => {
    if (typeof step === 'object' && 'key' in step) {
      await page.keyboard.press(step.key);
      return null;
    }
    const isMenu = typeof step === 'object' && 'menu' in step;
    const button =
      typeof step === 'string'
        ? page.getByRole('button', { name: step, exact: true })
        : isMenu
          ? page.getByRole('button', { name: step.menu, exact: typeof step.menu === 'string' })
          : page.locator(step.click);
    const opener = button.first();
    await opener.click();
    if (isMenu) await page.getByRole('menuitem', { name: step.item, exact: true }).click();
    return opener;
  };

  it.for(DIALOGS.map((place) => [place.of, place] as const))('%s', async ([, place]) => {
    const { page } = window;
    const until = async (what: string, condition: string): Promise<void> => {
      await eventually(what, () => page.evaluate<boolean>(condition)).catch(async (error: unknown) => {
        const found = await page.evaluate(`({
          dialogs: ${OPEN}.map((each) => each.innerText.slice(0, 80)),
          focus: document.activeElement?.outerHTML.slice(0, 200),
        })`);
        throw new Error(JSON.stringify(found), { cause: error });
      });
    };
    const depth = place.depth ?? 1;
    const focusIsOnTop = `${OPEN}.length === ${depth} && ${OPEN}.at(-1).contains(document.activeElement)`;
    await page.setViewportSize(place.isPhone === true ? PHONE : DESKTOP);
    // Unsaved changes of the page before ask in the browser's own words.
    await page.goto('about:blank');
    await window.goTo(addressOf(place.at));
    let opener: Locator | null = null;
    for (const step of place.steps) opener = (await take(page, step)) ?? opener;
    await until('the focus is not in the dialog on top', focusIsOnTop);
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      await until(`${key} left the dialog`, focusIsOnTop);
    }
    await page.keyboard.press('Escape');
    await until('Escape did not close the dialog', `${OPEN}.length === ${depth - 1}`);
    if (place.hasNoOpener !== true) await opener?.and(page.locator(':focus')).waitFor();
    window.expectNoOffences();
  });
});
