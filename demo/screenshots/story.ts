import type { Page } from 'playwright-core';
import type { ClientConfig } from 'pg';

import type { Camera } from './camera.js';
import { FILES, HOST_NAME } from './device.js';
import { addDevices, COLLEAGUES, CUSTOMERS, GROUPS, idOf, TAGS, TENANT } from './northwind.js';

/*
 * The guide as it is read, done in a browser: each picture is taken on the way.
 */

const FIRST_USER = { email: 'dana@northwind.example', password: 'Correct-Horse-7' };
/** What stands in the pictures for secrets and ids, which differ each time. */
const SHOWN_SECRET = 'k7Qm2xV9…';
const SHOWN_ID = '0199a5b3-…';
const GUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TICKET = 'ticket-20417';

/** What the story needs around the page. */
export interface Props {
  readonly page: Page;
  readonly camera: Camera;
  /** By which programs of this machine reach the service. */
  readonly serviceUrl: string;
  readonly database: ClientConfig;
  /** Starts the agent of the front desk with a key, and leaves it running. */
  startDevice(this: void, args: readonly string[], secret: string): Promise<void>;
}

/** Tells the whole story. */
export async function tellStory(props: Props): Promise<void> {
  await register(props);
  await nameTenant(props);
  await deploy(props);
  const office = await furnish(props);
  await useTerminal(props, office);
  await lookAtFiles(props, office);
  await listDevices(props, office);
  await administer(props, office);
  await connectTicketSystem(props, office);
}

async function register({ page, camera }: Props): Promise<void> {
  await page.goto('/register');
  // The font is used from the second page on: no page waits for it.
  await page.waitForLoadState('networkidle');
  await page.reload();
  await page.getByLabel('E-mail').fill(FIRST_USER.email);
  await page.getByLabel('Password', { exact: true }).fill(FIRST_USER.password);
  await camera.take('register');
  await page.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL('**/welcome');
}

async function nameTenant({ page, camera }: Props): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(TENANT);
  await camera.take('welcome');
  await page.getByRole('button', { name: 'Save and continue' }).click();
}

async function deploy({ page, camera, serviceUrl, startDevice }: Props): Promise<void> {
  await page.goto('/deploy');
  await page.getByLabel('Name', { exact: true }).fill('Front desk of Acme Dental');
  await page.getByRole('button', { name: 'Create key' }).click();
  const command = await page
    .locator('code, pre, textarea, input[readonly]')
    .filter({ hasText: 'install.sh' })
    .or(page.getByText(/install\.sh/))
    .first()
    .innerText();
  const [, secret = ''] = /DEVICE_AGENT_KEY_SECRET='?([\w-]+)/.exec(command) ?? [];
  const [, tenant = ''] = /--tenant (\S+)/.exec(command) ?? [];
  const [, keyId = ''] = /--key-id (\S+)/.exec(command) ?? [];
  if (secret === '' || keyId === '') throw new Error(`The command has no key: ${command}`);
  camera.replace(new Map([[secret, SHOWN_SECRET], ...[tenant, keyId].map((id) => [id, SHOWN_ID] as const)]));
  await startDevice(['--server', serviceUrl, '--tenant', tenant, '--key-id', keyId], secret);
  await page.getByRole('link', { name: `Open ${HOST_NAME}` }).waitFor();
  await page.getByRole('main').getByText('Online', { exact: true }).waitFor();
  await camera.take('deploy');
}

/** The tenant of the later pictures. */
interface Office {
  readonly tenantId: string;
  readonly deviceId: string;
  readonly ids: ReadonlyMap<string, string>;
  readonly api: Api;
}

/** Adds customers, tags, groups, colleagues and the other devices. */
async function furnish({ page, database }: Props): Promise<Office> {
  const session = await call<{ tenant: { id: string } }>(page, 'GET', '/account/session');
  const tenantId = session.tenant.id;
  const api = new Api(page, tenantId);
  const ids = new Map<string, string>();
  for (const name of CUSTOMERS) ids.set(name, await api.create('/api/v1/customers', { name }));
  for (const name of TAGS) ids.set(name, await api.create('/api/v1/tags', { name }));
  for (const name of GROUPS) ids.set(name, await api.create('/api/v1/device-groups', { name }));
  for (const { userName, presets } of COLLEAGUES) {
    ids.set(userName, await api.create('/api/v1/users', { userName, password: FIRST_USER.password, presetNames: presets }));
  }
  const { items } = await api.post<{ items: { id: string; agentVersion: string }[] }>('/api/v1/devices/search', { page: 0, pageSize: 1 });
  const [device] = items;
  if (device === undefined) throw new Error('The first device is not there.');
  await api.post(`/api/v1/customers/${idOf(ids, 'Acme Dental')}/devices`, { deviceIds: [device.id] });
  await api.post('/api/v1/device-tags', { deviceId: device.id, tagId: idOf(ids, 'kiosk') });
  await addDevices(database, tenantId, device.agentVersion, ids);
  return { tenantId, deviceId: device.id, ids, api };
}

async function useTerminal({ page, camera }: Props, { deviceId }: Office): Promise<void> {
  /** What is drawn, as the elements of the terminal have it. */
  const untilDrawn = (text: string): Promise<void> => page.locator('.xterm-rows', { hasText: text }).waitFor();
  await page.goto(`/devices/${deviceId}/terminal`);
  await untilDrawn(FILES);
  for (const [line, last] of [
    ['ls -l --time-style=long-iso', 'update.sh'],
    ['tail -n 4 backup.log', 'done in 9 s'],
    ['cat notes.txt', 'pushed in firmly'],
  ] as const) {
    await page.keyboard.type(`${line}\n`);
    await untilDrawn(last);
  }
  await camera.take('terminal');
}

async function lookAtFiles({ page, camera }: Props, { deviceId }: Office): Promise<void> {
  await page.goto(`/devices/${deviceId}/files?path=${encodeURIComponent(FILES)}`);
  await page.getByRole('row', { name: 'price-list.ods' }).waitFor();
  await page.getByRole('row', { name: 'backup.log' }).getByRole('checkbox').check();
  await page.getByRole('row', { name: 'check-in.conf' }).getByRole('checkbox').check();
  await camera.take('files');
}

async function listDevices({ page, camera }: Props, { ids }: Office): Promise<void> {
  await page.goto(`/devices?tag=${idOf(ids, 'server')}&f=${encodeURIComponent('usedStoragePercent.gt.0.8')}`);
  await page.getByRole('row', { name: 'delta-backup' }).waitFor();
  await camera.take('filters');
  await page.getByRole('button', { name: 'More about this list' }).click();
  await page.getByRole('menuitem', { name: 'Save as view…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Full servers');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('navigation').getByText('Full servers').waitFor();

  await page.goto('/devices');
  await page.getByRole('row', { name: 'delta-ware' }).waitFor();
  // The first steps are another picture.
  await page.getByRole('button', { name: 'Do not show this again' }).click();
  await camera.take('devices');

  await page.goto(`/devices?group=${idOf(ids, 'Classrooms')}`);
  for (const number of [1, 2, 3])
    await page
      .getByRole('row', { name: `cedar-lab-0${number}` })
      .getByRole('checkbox')
      .check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Restart' }).waitFor();
  await camera.take('bulk');

  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto('/devices');
  await page.getByText('cedar-dc').waitFor();
  await camera.take('phone');
  if (size !== null) await page.setViewportSize(size);
}

async function administer({ page, camera }: Props, office: Office): Promise<void> {
  const { ids, api } = office;
  await page.goto('/users');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('sam@northwind.example');
  await page.getByRole('dialog').getByLabel('Device Superuser').check();
  await camera.take('new-user');

  await assignRights(office);
  await page.goto(`/users/${idOf(ids, 'marco@northwind.example')}/access`);
  await page.getByText('Acme Dental').first().waitFor();
  await page.getByLabel('Search permissions').fill('device');
  await camera.take('permissions');

  const group = await api.create('/api/v1/user-groups', { name: 'Contractors' });
  await api.post(`/api/v1/user-groups/${group}/members`, { userIds: [idOf(ids, 'marco@northwind.example')] });
  await api.assign('UserGroup', group, [['device.terminal.use', 'Deny', 'CustomerTenant', idOf(ids, 'Delta Foods')]]);
  await page.goto(
    `/effective-permissions?who=User:${idOf(ids, 'marco@northwind.example')}&what=device.terminal.use&on=CustomerTenant:${idOf(ids, 'Delta Foods')}`,
  );
  await page.getByText('A Deny always wins').first().waitFor();
  await camera.take('why');
}

/** What Marco may do: everything usual at two customers, and no terminals of servers. */
async function assignRights({ api, ids }: Office): Promise<void> {
  const marco = idOf(ids, 'marco@northwind.example');
  const usual = [
    'device.read',
    'device.overview.read',
    'device.terminal.use',
    'device.file-system.read',
    'device.file-system.transfer-download',
  ];
  const at = (customer: string): [string, 'Allow', string, string][] =>
    usual.map((permission) => [permission, 'Allow', 'CustomerTenant', idOf(ids, customer)]);
  await api.assign('User', marco, [
    ...at('Acme Dental'),
    ...at('Delta Foods'),
    ['device.terminal.use', 'Deny', 'DeviceGroup', idOf(ids, 'Servers')],
  ]);
}

async function connectTicketSystem({ page, camera }: Props, { api, deviceId, tenantId }: Office): Promise<void> {
  await page.goto('/service-accounts');
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Ticket system');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'Ticket system' }).first().click();
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Links in tickets');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText('I have stored it').waitFor();
  const key = await page.getByRole('dialog').locator('code').first().innerText();
  if (!key.includes(':')) throw new Error('The dialog shows no key.');
  camera.replace(new Map([[key, '3B5A99012E7C…:k7Qm2xV9…'], ...[...page.url().matchAll(GUID)].map(([id]) => [id, SHOWN_ID] as const)]));
  await camera.take('service-account-key');

  const { deviceAccessUrl } = await api.post<{ deviceAccessUrl: string }>('/api/v1/logon-tokens/external', {
    deviceId,
    tenantId,
    sessionCorrelationId: TICKET,
    userCorrelationId: 'lena',
    userDisplayName: 'Lena Fischer',
    permissions: ['device.read', 'device.overview.read', 'device.terminal.use', 'device.file-system.read'],
  });
  // Another browser would have no session; here the link's takes the place of the user's.
  await page.goto(deviceAccessUrl);
  await page.getByRole('link', { name: 'Files' }).waitFor();
  await page.getByRole('link', { name: 'Files' }).click();
  await camera.take('device-access');
}

/** The API, as the user who is signed in. */
class Api {
  constructor(
    private readonly page: Page,
    private readonly tenantId: string,
  ) {}

  /** Sends JSON and returns the answer, if there is one. */
  post<T>(path: string, body: object): Promise<T> {
    return call(this.page, 'POST', `${path}?tenantId=${this.tenantId}`, body);
  }

  /** Creates something and returns its id. */
  async create(path: string, data: object): Promise<string> {
    return (await this.post<{ id: string }>(path, data)).id;
  }

  /** Gives somebody permissions: name, effect, kind and id of the scope. */
  async assign(
    principalKind: string,
    principalId: string,
    rows: readonly (readonly [permission: string, effect: string, scopeKind: string, scopeId: string])[],
  ): Promise<void> {
    const assignments = rows.map(([permissionName, effect, scopeKind, scopeId]) => ({
      principalKind,
      principalId,
      permissionName,
      effect,
      scopeKind,
      scopeId,
    }));
    await this.post('/api/v1/permission-assignments/batch', { assignments });
  }
}

/** Calls the service from within the page. */
async function call<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) };
  const { status, text } = await page.evaluate<{ status: number; text: string }>(`fetch(${JSON.stringify(path)}, ${JSON.stringify(init)})
    .then(async (answer) => ({ status: answer.status, text: await answer.text() }))`);
  if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
