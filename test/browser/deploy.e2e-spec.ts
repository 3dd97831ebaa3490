import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { publishAgent } from '../support/devices/published-agent.js';
import { createCustomer } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

const PHONE = { width: 390, height: 844 };

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the page that adds devices${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tag: string;

  beforeAll(async () => {
    administrator = await app.administrator();
    await publishAgent(app.server.dataPath);
    const tenant = await app.tenantOf(administrator);
    tag = (await new Scene(app.server, tenant).tag()).name;
    await createCustomer(app.server, { tenantId: tenant.id, name: 'Acme Dental' });
  });

  it('asks for customer and tags first, and puts all that is chosen into one line', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/deploy');
    const titles = page.getByRole('main').getByRole('heading', { level: 2 });
    await titles.first().waitFor();
    expect(await titles.allInnerTexts()).toEqual(['1. Devices', '2. Key', '3. Install', 'Agents on this server']);
    await choose(page, 'Customer', 'Acme Dental');
    await choose(page, 'Tags', tag);
    await page.getByRole('button', { name: 'Create key' }).click();
    const command = page.getByLabel('Command', { exact: true });
    await expect.poll(() => command.innerText()).toMatch(/^export DEVICE_AGENT_KEY_SECRET='\S+'; curl .* --tags '[0-9a-f-]{36}'$/);
  });

  it('offers the same as two files for policies, with the secret in a file of its own', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/deploy?os=linux-x64');
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByLabel('Secret', { exact: true }).innerText()).trim();
    await page.getByRole('button', { name: 'Group policy or MDM' }).click();
    const [script, key] = [await download(page, 'install-device-agent.sh'), await download(page, 'device-agent.key')];
    expect(script).toContain('--key-id ');
    expect(script).not.toContain(secret);
    expect(key).toBe(`${secret}\n`);
    expect(await window.check.accessibility({})).toEqual([]);
    await page.setViewportSize(PHONE);
    await window.untilStill();
    expect(await window.check.excessWidth()).toBeNull();
  });

  it('says which agents the server has, why a build failed, and when another one is there', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    const agents = page.getByRole('region', { name: 'Agents on this server' });
    const row = (name: string) => agents.getByRole('listitem').filter({ hasText: name });
    await window.goTo('/deploy');
    await row('Linux ARM64').getByText('Version 1.0.0.0').waitFor();
    await row('Windows x64').getByText('Not built').waitFor();
    // The service of the tests runs from its sources, where nothing is built.
    expect(await agents.getByRole('button').count()).toBe(0);

    const windows = {
      platform: 'win-x64',
      version: null as string | null,
      state: 'Failed',
      failure: 'npm is not installed.' as string | null,
    };
    await page.route('**/account/agent-bundles', (route) => route.fulfill({ json: { items: [windows], canBuild: true } }));
    await page.route('**/account/agent-bundles/win-x64/build', (route) => {
      Object.assign(windows, { state: 'Building', failure: null });
      return route.fulfill({ status: 202, json: windows });
    });
    await window.goTo('/deploy');
    await row('Windows x64').getByText('Build failed').waitFor();
    await agents.getByText('npm is not installed.').waitFor();
    expect(await window.check.accessibility({})).toEqual([]);
    await agents.getByRole('button', { name: 'Build the agent for Windows x64' }).click();
    await agents.getByText('Building…').waitFor();
    Object.assign(windows, { state: 'Available', version: '1.2.3.4' });
    await agents.getByText('Version 1.2.3.4').waitFor();
    await agents.getByRole('button', { name: 'Rebuild the agent for Windows x64' }).waitFor();
  });
});

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(option);
  await page.getByRole('option', { name: option }).click();
}

/** Clicks on the button of a file and returns its text. */
async function download(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Download ${name}` }).click()]);
  return readFile(await file.path(), 'utf8');
}
