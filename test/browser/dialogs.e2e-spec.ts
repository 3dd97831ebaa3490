import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';

import { User } from '../../src/people/users/user.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { authenticatorCode } from '../support/callers/authenticator-app.js';
import { browserOf, createPerson, openSession } from '../support/callers/browser.js';
import { createKeyedDevice, ReferenceAgent, waitOnline } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { createPersonalAccessToken, createServiceAccountWithKey, createTenant } from '../support/fixtures/factories.js';
import { addressesIn } from './support/addresses.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { DIALOGS, type DialogStep } from './support/dialogs.js';
import { frontEnd, type Window } from './support/front-end.js';
import { withReadableTerminals } from './support/terminal-page.js';

/*
 * The focus in every dialog, drawer and sheet: it goes into the one on top, stays there, and goes back when it closes. All of a user take
 * turns in one window.
 */

const DESKTOP = { width: 1280, height: 900 };
/** The file of the device in which tests work. */
const NOTE = 'note.txt';
const PHONE = { width: 390, height: 844 };
/** The dialogs that are open, and not on their way out. The last one is on top. */
const OPEN = `[...document.querySelectorAll('[role=dialog], [role=alertdialog]')].filter((each) => !each.hasAttribute('data-ending-style') && each.checkVisibility())`;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the focus in dialogs${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let window: Window;
  let ofPerson: Window;
  let agent: ReferenceAgent;
  let folder: string;
  let addressOf: (pattern: string) => string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dialogs-'));
    await writeFile(join(folder, NOTE), 'text');
    const administrator = await app.administrator();
    const tenant = await app.tenantOf(administrator);
    const person = await createPerson(app.server, { tenantId: tenant.id });
    const scene = new Scene(app.server, tenant);
    const addresses = await addressesIn(scene);
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, tenant, { alias: 'Alpha' }));
    const { account } = await createServiceAccountWithKey(app.server, { tenantId: tenant.id });
    const values = {
      $deviceId: agent.device.id,
      $folder: encodeURIComponent(folder),
      $serviceAccountId: account.id,
      $userId: person.id,
    };
    addressOf = (pattern) => addresses(Object.entries(values).reduce((known, [name, value]) => known.replace(name, value), pattern));
    await createTenant(app.server, { name: 'Fabrikam' });
    await createPersonalAccessToken(app.server, administrator);
    await createPersonalAccessToken(app.server, person);
    await scene.deviceWithPendingKey();
    const body = { name: 'Rack', type: 'Text', choices: null, isListed: true };
    (await app.server.client().post('/api/inventory/fields', { query: { tenantId: tenant.id }, body })).as();
    await waitOnline(app.server, agent.device.id);
    await openSession(app.server, administrator);
    window = await app.openForAll({ user: administrator, viewport: DESKTOP });
    ofPerson = await app.openForAll({
      user: await withTwoFactors(await createPerson(app.server, { tenantId: tenant.id })),
      viewport: DESKTOP,
    });
    await withReadableTerminals(window.page);
    // The page asks before it is left while a terminal runs, or with unsaved changes.
    window.page.on('dialog', (dialog) => void dialog.accept());
  });

  afterAll(async () => {
    await agent?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** Sets up an authenticator app for a user. */
  const withTwoFactors = async (user: User): Promise<User> => {
    const browser = await browserOf(app.server, user);
    const { sharedKey } = (await browser.post('/account/two-factor/setup')).as<{ readonly sharedKey: string }>();
    (await browser.post('/account/two-factor/enable', { code: authenticatorCode(sharedKey, app.server.clock.milliseconds()) })).as();
    // Its sessions from before have ended with the change.
    return app.server.dataSource.manager.findOneByOrFail(User, { id: user.id });
  };

  /** Takes a step, and returns what has to get the focus back. */
  const take = async (page: Page, step: DialogStep): Promise<Locator | null> => {
    if (typeof step === 'string') return click(page.getByRole('button', { name: step, exact: true }));
    if ('click' in step) return click(page.locator(step.click));
    if ('menu' in step) {
      const opener = await click(page.getByRole('button', { name: step.menu, exact: typeof step.menu === 'string' }));
      await page.getByRole('menuitem', { name: step.item, exact: true }).click();
      return opener;
    }
    if ('point' in step) {
      const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(step.point).first().boundingBox()) ?? {};
      await page.mouse.click(x + width / 2, y + height / 2);
      return null;
    }
    if ('focus' in step) {
      const focused = page.locator(step.focus).first();
      await focused.focus();
      return focused;
    }
    if ('key' in step) await page.keyboard.press(step.key);
    else if ('check' in step) await page.getByRole('checkbox', { name: step.check }).check();
    else if ('type' in step) await page.keyboard.type(step.type);
    else if ('paste' in step) await paste(page, step.paste);
    else if ('onDevice' in step) await writeFile(join(folder, NOTE), step.onDevice);
    else if ('text' in step) await page.getByText(step.text).first().waitFor();
    else await page.route(`**${step.unanswered}*`, () => undefined);
    return null;
  };

  const click = async (buttons: Locator): Promise<Locator> => {
    await buttons.first().click();
    return buttons.first();
  };

  const paste = (page: Page, text: string): Promise<unknown> =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);

  it.for(DIALOGS.map((place) => [place.of, place] as const))('%s', async ([, place]) => {
    const used = place.by === undefined ? window : ofPerson;
    const { page } = used;
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
    await used.goTo(addressOf(place.at));
    let opener: Locator | null = null;
    for (const step of place.steps) opener = (await take(page, step)) ?? opener;
    await until('the focus is not in the dialog on top', focusIsOnTop);
    if (place.second !== undefined) {
      for (const step of place.second) await take(page, step);
      await until('the focus is not in the dialog that replaced it', focusIsOnTop);
    }
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key);
      await until(`${key} left the dialog`, focusIsOnTop);
    }
    for (const step of place.closes ?? [{ key: 'Escape' }]) await take(page, step);
    await until('the dialog did not close', `${OPEN}.length === ${depth - 1}`);
    if (place.hasNoOpener !== true) await opener?.and(page.locator(':focus')).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    used.expectNoOffences();
  });
});
