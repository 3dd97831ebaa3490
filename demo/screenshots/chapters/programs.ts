import type { Office } from '../office.js';
import type { Stage } from '../stage.js';

const TICKET = 'ticket-20417';
const SHOWN_KEY = '3B5A99012E7C…:k7Qm2xV9…';

/** Pictures of a key for a ticket system, and of the page that the link in a ticket opens. */
export async function connectPrograms(stage: Stage, office: Office): Promise<void> {
  await createKey(stage);
  await openLink(stage, office);
}

async function createKey({ page, camera }: Stage): Promise<void> {
  await page.goto('/service-accounts');
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Ticket system');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Ticket system' }).first().click();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await dialog.getByLabel('Name').fill('Links in tickets');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText("I've stored it").waitFor();
  const key = await dialog.locator('code').first().innerText();
  if (!key.includes(':')) throw new Error('The dialog shows no key.');
  camera.replace(key, SHOWN_KEY);
  await camera.take('service-account-key');
}

async function openLink({ page, camera }: Stage, { api, deviceId }: Office): Promise<void> {
  const { deviceAccessUrl } = await api.post<{ deviceAccessUrl: string }>('/api/v1/logon-tokens/external', {
    deviceId,
    tenantId: api.tenantId,
    sessionCorrelationId: TICKET,
    userCorrelationId: 'lena',
    userDisplayName: 'Lena Fischer',
    permissions: ['device.read', 'device.overview.read', 'device.terminal.use', 'device.file-system.read'],
  });
  // Another browser would have no session, and would not ask.
  await page.goto(deviceAccessUrl);
  await page.getByRole('button', { name: 'Sign out and open the device' }).click();
  await page.getByRole('link', { name: 'Files' }).waitFor();
  await camera.take('device-access');
}
