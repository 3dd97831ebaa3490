import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { type AgentInstallation, ReferenceAgent } from '../support/devices/agents.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { AT_ITS_PORT, frontEnd, WITHOUT_USERS } from './support/front-end.js';
import { runInTerminal, untilPrompt, withReadableTerminals } from './support/terminal-page.js';

/*
 * Steps of the first person at a new server, from its empty database to a file of a device, without anything that is not on the pages.
 */

const PERSON = { email: 'dana@example.org', password: 'Correct-Horse-8' };
const TEXT = 'what the device kept\n';

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the first steps with a new server${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, { ...AT_ITS_PORT, ...WITHOUT_USERS });
  let agent: ReferenceAgent | undefined;
  /** Folder on the device, which is this machine. */
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'device-files-'));
    // The page names a command for platforms whose bundle can be downloaded. The agent here runs from its sources.
    const downloads = join(app.server.dataPath, 'downloads');
    await mkdir(join(downloads, 'linux-x64'), { recursive: true });
    await writeFile(join(downloads, 'linux-x64', 'device-agent.tar.gz'), 'a bundle');
    await writeFile(join(downloads, 'linux-x64', 'device-agent.version'), '1.2.3.4');
    await writeFile(join(downloads, 'install.sh'), 'a script');
  });

  afterAll(async () => {
    await agent?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('lead from registering to a terminal and a file of a device', async (test) => {
    const window = await app.open(test, { allowedRefusals: ['401 GET /account/session'] });
    const { page } = window;
    await withReadableTerminals(page);

    await window.goTo('/');
    await page.getByRole('heading', { name: 'Set up this server' }).waitFor();
    await page.getByLabel('E-mail').fill(PERSON.email);
    await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
    await page.getByRole('button', { name: 'Register' }).click();

    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Northwind IT');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByRole('banner').getByText('Northwind IT').waitFor();

    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Waiting for the device…').waitFor();
    const command = await page.getByRole('group', { name: 'Command', exact: true }).innerText();
    agent = await ReferenceAgent.install(app.server, installationIn(command));
    const toDevice = page.getByRole('link', { name: /^Open / });
    const arrival = page.locator('[aria-live="polite"]', { has: toDevice });
    await arrival.getByText('Online', { exact: true }).waitFor();
    await page.getByText('1 device added.').waitFor();
    await toDevice.click();

    await page.getByText('Operating system').waitFor();
    await page.getByRole('navigation', { name: 'Device sections' }).getByRole('link', { name: 'Terminal' }).click();
    await untilPrompt(page);
    await writeFile(join(folder, 'template'), TEXT);
    await runInTerminal(page, `cp '${folder}/template' '${folder}/story.txt' && echo cop''ied`, 'copied');

    await page.getByRole('navigation', { name: 'Device sections' }).getByRole('link', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'Edit path' }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill(folder);
    await page.keyboard.press('Enter');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'story.txt' }).click()]);
    expect(await readFile(await download.path(), 'utf8')).toBe(TEXT);
  });
});

/** Returns the values that the command on the page hands to the installer. */
function installationIn(command: string): AgentInstallation {
  const after = (name: string): string => {
    const value = new RegExp(`${name}[= ]'?([^\\s']+)`).exec(command)?.[1];
    if (value === undefined) throw new Error(`The command has no ${name}: ${command}`);
    return value;
  };
  return {
    serverUri: after('--server'),
    tenantId: after('--tenant'),
    keyId: after('--key-id'),
    keySecret: after('DEVICE_AGENT_KEY_SECRET'),
  };
}
