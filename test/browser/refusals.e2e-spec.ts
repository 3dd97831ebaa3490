import { beforeAll, describe, it } from 'vitest';

import { busy, conflict, DomainError, ErrorCode, forbidden, notFound, unauthorized } from '../../src/common/errors.js';
import type { User } from '../../src/users/user.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/built-front-end.js';
import { addressesIn } from './addresses.js';
import { hasChromium, WITHOUT_CHROMIUM } from './chromium.js';
import { ADMINISTRATOR, frontEnd } from './front-end.js';
import { Refusals } from './refusals.js';

/*
 * What pages show when the service refuses what the page asks for, or cannot be reached: what is wrong, what to do about it, and
 * the page itself as soon as the service answers again.
 */

const RETRY_AFTER = 900;
const tooMany = new DomainError(ErrorCode.TooManyRequests, 'Too many requests came from this address.', undefined, {
  'Retry-After': String(RETRY_AFTER),
});

/** A list, a list with filters, and a thing with what belongs to it. The parts that show refusals are the same on all pages. */
const PAGES = ['/tags', '/change-log', '/tags/$tagId'];

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`refusals on the pages${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let addressOf: (pattern: string) => string;

  beforeAll(async () => {
    administrator = await app.administrator();
    addressOf = await addressesIn(new Scene(app.server, await app.tenantOf(administrator)));
  });

  it.for(PAGES)('%s', async (pattern, test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^(?:401|403|404|409|429|503|lost) /] });
    const { page } = window;
    const refusals = await Refusals.over(page);
    const main = page.getByRole('main');
    const alerts = main.getByRole('alert');
    const retries = main.getByRole('button', { name: 'Try again' });

    /** Waits until every part that failed says this, and says how many did. */
    const everyPartSays = async (text: string | RegExp): Promise<void> => {
      await alerts.filter({ hasText: text }).first().waitFor();
      await expect
        .poll(async () => [await alerts.filter({ hasText: text }).count(), await alerts.count()])
        .toSatisfy(([those, all]: number[]) => those === all);
    };
    const retry = async (): Promise<void> => {
      for (const button of await retries.all()) await button.click();
    };

    refusals.refuse(busy('The service has much to do.', 1));
    await window.goTo(addressOf(pattern));
    await everyPartSays('The service has much to do.');
    expect.soft(await window.check.accessibility(), 'accessibility of a failure').toEqual([]);
    expect(await retries.count()).toBe(await alerts.count());

    refusals.refuse(tooMany);
    await retry();
    await everyPartSays(/Possible again in (?:900|[678]\d\d) s\./);
    refusals.lose();
    await retry();
    await everyPartSays('The service cannot be reached.');
    refusals.refuse(conflict('Somebody else was faster.'));
    await retry();
    await everyPartSays('Somebody else was faster.');
    refusals.end();
    await retry();
    await expect.poll(() => alerts.count()).toBe(0);
    await window.untilStill();

    refusals.refuse(forbidden());
    await page.reload();
    await everyPartSays('You may not do this');
    refusals.refuse(notFound('What was asked for'));
    await page.reload();
    await main.getByText('Nothing here any more').first().waitFor();

    refusals.refuse(unauthorized('Nobody is signed in.'));
    await page.reload();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    refusals.end();
    await dialog.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await main.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => alerts.count()).toBe(0);
  });

  it('a page whose session cannot be read says so, and comes when it can', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: ['lost GET /account/session'] });
    const { page } = window;
    await page.route('**/account/session', (route) => route.abort('internetdisconnected'));
    await page.goto('/tags');
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/account/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
  });

  it('a page that loses its line says so, keeps what was typed, and goes on with the line', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^lost /] });
    const { page } = window;
    await window.goTo('/tags');
    // Behind a dialog nothing has a role.
    const bar = page.locator('header').first();
    await bar.getByText('Live').waitFor();
    await page.getByRole('button', { name: 'New tag' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Workshop');

    await page.context().setOffline(true);
    app.cutLines();
    await bar.getByText('Offline').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('The service cannot be reached.').waitFor();
    test.expect(await dialog.getByLabel('Name').inputValue()).toBe('Workshop');
    test.expect(await window.check.accessibility()).toEqual([]);

    await page.context().setOffline(false);
    await bar.getByText('Live').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Workshop' }).waitFor();
  });
});
