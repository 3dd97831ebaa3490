import { HOST_NAME } from '../device.js';
import { FIRST_USER, TENANT } from '../northwind.js';
import type { Stage } from '../stage.js';

/** Stand-in for secrets and ids in the pictures. */
const SHOWN_SECRET = 'k7Qm2xV9…';
const SHOWN_ID = '0199a5b3-…';

/** The first user signs up and names the tenant. */
export async function register({ page, camera }: Stage): Promise<void> {
  await page.goto('/register');
  // The font is used from the second page on: no page waits for it.
  await page.waitForLoadState('networkidle');
  await page.reload();
  await page.getByLabel('E-mail').fill(FIRST_USER.email);
  await page.getByLabel('Password', { exact: true }).fill(FIRST_USER.password);
  await camera.take('register');
  await page.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL('**/welcome');

  await page.getByLabel('Name', { exact: true }).fill(TENANT);
  await camera.take('welcome');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByRole('button', { name: 'Create key' }).waitFor();
}

/** A key, the command that installs the agent, and the device that reports. */
export async function deployFirstDevice({ page, camera, serviceUrl, startDevice }: Stage): Promise<void> {
  await page.goto('/deploy');
  await page.getByLabel('Name', { exact: true }).fill('Front desk of Acme Dental');
  await page.getByRole('button', { name: 'Create key' }).click();
  const command = await page
    .getByText(/install\.sh.*--key-id/s)
    .last()
    .innerText();
  const [, secret = ''] = /DEVICE_AGENT_KEY_SECRET='?([\w-]+)/.exec(command) ?? [];
  const [, tenant = ''] = /--tenant (\S+)/.exec(command) ?? [];
  const [, keyId = ''] = /--key-id (\S+)/.exec(command) ?? [];
  if (secret === '' || keyId === '') throw new Error(`The command has no key: ${command}`);
  camera.replace(secret, SHOWN_SECRET);
  for (const id of [tenant, keyId]) camera.replace(id, SHOWN_ID);
  await startDevice(['--server', serviceUrl, '--tenant', tenant, '--key-id', keyId], secret);
  await page.getByRole('link', { name: `Open ${HOST_NAME}` }).waitFor();
  await page.getByRole('main').getByText('Online', { exact: true }).waitFor();
  await camera.take('deploy');
}
