import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';

import type { DeviceResponseDto } from '../../src/devices/devices/device.dto.js';
import type { User } from '../../src/people/users/user.entity.js';
import { EMPTY_GUID, newGuid } from '../../src/platform/common/identifiers/guid.js';
import { Scene } from '../routes/scene.js';
import type { TestApp } from '../support/application/app.js';
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
    await createCustomer(app.server, { tenantId: tenant.id, name: 'Birch Law' });
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

  it('gives the key the customer, which devices get after the page is left, and the drawer of the key changes', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^503 PUT .*\/customer/] });
    const { page } = window;
    await window.goTo('/deploy');
    await choose(page, 'Customer', 'Acme Dental');
    await page.getByRole('spinbutton', { name: 'Devices' }).fill('5');
    await page.getByLabel('Name', { exact: true }).fill('Front office');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('New devices with this key go to Acme Dental.').waitFor();
    expect(await window.check.accessibility({})).toEqual([]);
    const [id, secret] = [await page.getByLabel('Key ID').innerText(), await page.getByLabel('Secret', { exact: true }).innerText()];
    await choose(page, 'Customer', 'Birch Law');
    await page.getByText('New devices with this key go to Birch Law.').waitFor();

    await window.goTo(`/installer-keys/${id.trim()}`);
    const drawer = page.getByRole('dialog', { name: 'Front office' });
    const field = drawer.getByRole('combobox', { name: 'Customer of new devices' });
    await expect.poll(() => field.inputValue()).toBe('Birch Law');
    expect(await registered(app.server, { id: id.trim(), secret: secret.trim() })).toBe('Birch Law');
    await field.fill('Acme');
    await page.getByRole('option', { name: 'Acme Dental' }).click();
    await page.getByText('Customer changed').waitFor();
    await expect.poll(() => field.inputValue()).toBe('Acme Dental');
    expect(await window.check.accessibility({})).toEqual([]);
    expect(await registered(app.server, { id: id.trim(), secret: secret.trim() })).toBe('Acme Dental');

    // A stored key shows its customer, and a refused change says why.
    await window.goTo(`/deploy?key=${id.trim()}`);
    await page.getByLabel('Secret', { exact: true }).fill(secret.trim());
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('New devices with this key go to Acme Dental.').waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe('Acme Dental');
    await page.route('**/customer?*', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 503, json: { title: 'Service Unavailable' } }) : route.continue(),
    );
    await choose(page, 'Customer', 'Birch Law');
    await page.getByText("The customer of the key couldn't be read or changed.").waitFor();
    await page.unroute('**/customer?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('New devices with this key go to Birch Law.').waitFor();
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

/** Registers a new device with a key, and returns the name of its customer. */
async function registered(server: TestApp, key: { readonly id: string; readonly secret: string }): Promise<string | null> {
  const device = { id: newGuid(), tenantId: EMPTY_GUID, name: 'front-desk-2', is64Bit: true, platform: 2, osArchitecture: 1 };
  const figures = { processorCount: 8, cpuUtilization: 0, totalMemory: 8, totalStorage: 100, usedMemory: 4, usedStorage: 50 };
  const body = { device: { ...device, ...figures }, installerKeyId: key.id, installerKeySecret: key.secret, tagIds: null };
  return (await server.client({}).post('/api/agent/devices', { body })).as<DeviceResponseDto>().customerName;
}
