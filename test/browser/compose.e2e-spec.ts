import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { AT_ITS_PORT, frontEnd } from './support/front-end.js';

/*
 * The first administrator of a server that runs as compose.yaml runs it, with the secrets that docs/deployment.md creates.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const [, commands = ''] = /^( {4}mkdir -m 700 secrets\n(?: {4}.*\n)+)/m.exec(read('docs/deployment.md')) ?? [];
const folder = mkdtempSync(join(tmpdir(), 'compose-'));
execFileSync('bash', ['-euc', commands], { cwd: folder });
const secrets = join(folder, 'secrets');
const secretOf = (name: string): string => readFileSync(join(secrets, name), 'utf8').trimEnd();
const email = secretOf('Bootstrap__AdminEmail');
const password = secretOf('Bootstrap__AdminPassword');
// The database of the tests is another one.
for (const name of ['POSTGRES_PASSWORD', 'DATABASE_OWNER_PASSWORD']) rmSync(join(secrets, name));

afterAll(() => rmSync(folder, { recursive: true }));

/** The options that compose.yaml sets for the service where there is no .env. */
const options = Object.fromEntries(
  [...read('compose.yaml').matchAll(/^ {6}(Service_\w+): '?([^'\n]*)'?$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace(/\$\{\w+:-\}/, ''),
  ]),
);

suite(`a server that compose.yaml starts${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, {
    ...options,
    ...AT_ITS_PORT,
    Service_Bootstrap__AdminEmail: '',
    Service_Bootstrap__AdminPassword: '',
    Service_SecretsPath: secrets,
  });

  it('lets the administrator of the two files sign in, with no registration open', async (test) => {
    const window = await app.open(test, { allowedRefusals: ['401 GET /account/session'] });
    const { page } = window;
    await window.goTo('/devices');
    await page.waitForURL('**/signin**');
    expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /Devices|Add your first device|Welcome/ }).waitFor();
    await window.goTo('/server/settings');
    await page.getByRole('region', { name: 'E-mail', exact: true }).getByText('Not set up').waitFor();
    await page.getByRole('region', { name: 'Registration' }).getByText('No one: users join by invitation').waitFor();
  });
});
