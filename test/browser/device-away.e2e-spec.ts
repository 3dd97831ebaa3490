import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, ReferenceAgent, waitOffline } from '../support/devices/agents.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';
import { runInTerminal, untilPrompt, withReadableTerminals } from './support/terminal-page.js';

/*
 * The page of a device that restarts or that the service cannot tell of: old values are marked, and sessions
 * return with the device.
 */

/** Requests that fail while there is no line. */
const LOST_LINE = [/^lost /];

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the page of a device that is away${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let agent: ReferenceAgent;

  beforeAll(async () => {
    administrator = await app.administrator();
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, await app.tenantOf(administrator)));
  });

  afterAll(() => agent?.stop());

  const shutDown = async (): Promise<void> => {
    await agent.shutDown();
    await waitOffline(app.server, agent.device.id);
  };
  /** The head of the page: what it says of the device on every tab. */
  const headOf = (page: Page): Locator =>
    page
      .locator('main')
      .locator('div', { has: page.getByRole('heading', { level: 1 }) })
      .first();

  /** A page whose terminals can be read. */
  async function openPage(test: TestContext): Promise<Page> {
    const { page } = await app.open(test, { user: administrator });
    await withReadableTerminals(page);
    page.on('dialog', (dialog) => void dialog.accept());
    return page;
  }

  /** A page with a terminal of the device, which has a prompt. */
  async function openTerminal(test: TestContext): Promise<Page> {
    const page = await openPage(test);
    await page.goto(`/devices/${agent.device.id}/terminal`);
    await untilPrompt(page);
    return page;
  }

  it('continues a terminal in a new shell after the device was restarted, and says so', async (test) => {
    const page = await openTerminal(test);
    await runInTerminal(page, 'MARK=shell; echo $((40 + 2))-before', '42-before');
    await shutDown();
    await page.getByText('The device is offline. Your terminal continues when it is back.').waitFor();
    // What is typed now has no shell.
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('MARK=typed\n');
    agent = await agent.startAgain(app.server);
    await page.locator('.xterm-rows', { hasText: /This is a new one/ }).waitFor();
    await page.getByText('The device is offline.').waitFor({ state: 'detached' });
    await runInTerminal(page, 'echo "<$MARK>-$((40 + 3))"', '<>-43');
    expect(await page.locator('.xterm-rows').innerText()).toContain('42-before');
  });

  it('opens a terminal when the device is back, on a page that was opened before', async (test) => {
    const page = await openPage(test);
    await shutDown();
    await page.goto(`/devices/${agent.device.id}/terminal`);
    await page
      .getByText(/is offline/)
      .first()
      .waitFor();
    agent = await agent.startAgain(app.server);
    await untilPrompt(page);
    await runInTerminal(page, 'echo $((40 + 5))-new', '45-new');
  });

  it('brings a terminal back that was loaded while its device was away', async (test) => {
    const page = await openTerminal(test);
    await shutDown();
    await page.reload();
    await page.getByText('The device is offline. Your terminal continues when it is back.').waitFor();
    agent = await agent.startAgain(app.server);
    await page.locator('.xterm-rows', { hasText: /This is a new one/ }).waitFor();
    await runInTerminal(page, 'echo $((40 + 4))-again', '44-again');
  });

  it('brings a terminal back whose device returns while the page still asks for its state', async (test) => {
    const page = await openTerminal(test);
    await shutDown();
    // The page until now asks for the state as well if a call of its terminal was under way: its reads are none of those below.
    await page.goto('about:blank');
    const address = new RegExp(`/api/v1/devices/${agent.device.id}(?:\\?|$)`);
    const offline = page.waitForResponse(address).then((answer) => answer.body());
    let reads = 0;
    await page.route(address, async (route) => {
      reads += 1;
      // The first is for the page, the second for the terminal, which got no shell.
      if (reads !== 2) return route.continue();
      const body = await offline;
      agent = await agent.startAgain(app.server);
      await headOf(page).getByText('Online', { exact: true }).waitFor();
      return route.fulfill({ contentType: 'application/json', body });
    });
    await page.goto(`/devices/${agent.device.id}/terminal`);
    await page.locator('.xterm-rows', { hasText: /This is a new one/ }).waitFor();
    await runInTerminal(page, 'echo $((40 + 6))-again', '46-again');
  });

  it('says that the state is unknown, and of when it was known, while the live connection is lost', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: LOST_LINE });
    const { page } = window;
    await window.goTo(`/devices/${agent.device.id}`);
    await headOf(page).getByText('Online', { exact: true }).waitFor();
    await page.locator('header').first().getByText('Live', { exact: true }).waitFor();
    await app.loseLine(page);
    await headOf(page).getByText('State unknown').waitFor();
    await headOf(page)
      .getByText(/^online as of \d+:\d\d/)
      .waitFor();
    expect(await headOf(page).getByText('Online', { exact: true }).count()).toBe(0);
    await page.getByText(/^Last report: /).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await page.context().setOffline(false);
    await headOf(page).getByText('Online', { exact: true }).waitFor();
  });

  it('shows the figures of an offline device as old, with their time, and offers to wake and await it', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(`/devices/${agent.device.id}`);
    await headOf(page).getByText('Online', { exact: true }).waitFor();
    const main = page.getByRole('main');
    const lookOf = (): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('[aria-label="Drives"] [role=meter]')).filter`);
    expect(await lookOf()).toBe('none');
    expect(await main.getByRole('button', { name: "Notify me when it's back" }).count()).toBe(0);

    await shutDown();
    await main.getByText(/^Last report: .*\d+:\d\d/).waitFor();
    expect(await lookOf()).toBe('grayscale(1)');
    await main.getByRole('button', { name: 'Wake' }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await main.getByRole('button', { name: "Notify me when it's back", pressed: false }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
    agent = await agent.startAgain(app.server);
    await page.getByText(/is back online/).waitFor();
  });
});
