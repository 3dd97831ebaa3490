import { idOf } from '../northwind.js';
import type { Office } from '../office.js';
import type { Stage } from '../stage.js';

/** Pictures of a new user, rights in the matrix, the reason for a missing right, and the change log. */
export async function changeAccess(stage: Stage, office: Office): Promise<void> {
  await createUser(stage);
  await setPermissions(stage, office);
  await askWhy(stage, office);
  await readChangeLog(stage, office);
}

async function createUser({ page, camera }: Stage): Promise<void> {
  await page.goto('/users');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('sam@northwind.example');
  await page.getByRole('dialog').getByLabel('Device Superuser').check();
  await camera.take('new-user');
}

/** Gives Marco the usual permissions at two customers, and no terminals of servers. One more change is not saved yet. */
async function setPermissions({ page, camera }: Stage, { api, ids }: Office): Promise<void> {
  const marco = idOf(ids, 'marco@northwind.example');
  const usual = [
    'device.read',
    'device.overview.read',
    'device.terminal.use',
    'device.file-system.read',
    'device.file-system.transfer-download',
  ];
  for (const customer of ['Acme Dental', 'Delta Foods']) {
    const at = idOf(ids, customer);
    await api.assign(
      'User',
      marco,
      usual.map((permission) => [permission, 'Allow', 'CustomerTenant', at]),
    );
  }
  await api.assign('User', marco, [['device.terminal.use', 'Deny', 'DeviceGroup', idOf(ids, 'Servers')]]);

  await page.goto(`/users/${marco}`);
  await page.getByRole('columnheader', { name: 'Delta Foods' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search permissions' }).fill('device');
  await page.getByRole('button', { name: /^Manage Device Power, Acme Dental/ }).click();
  await page.getByRole('button', { name: 'Review', exact: true }).waitFor();
  await camera.take('permissions');
}

async function askWhy({ page, camera }: Stage, { api, ids }: Office): Promise<void> {
  const marco = idOf(ids, 'marco@northwind.example');
  const delta = idOf(ids, 'Delta Foods');
  const group = await api.create('/api/v1/user-groups', { name: 'Contractors' });
  await api.post(`/api/v1/user-groups/${group}/members`, { userIds: [marco] });
  await api.assign('UserGroup', group, [['device.terminal.use', 'Deny', 'CustomerTenant', delta]]);
  await page.goto(`/effective-permissions?who=User:${marco}&what=device.terminal.use&on=CustomerTenant:${delta}`);
  await page.getByText('It is denied for the group Contractors').waitFor();
  await page.getByRole('row', { name: 'Contractors' }).waitFor();
  await camera.take('why');
}

async function readChangeLog({ page, camera }: Stage, { api, ids }: Office): Promise<void> {
  const rule = {
    permissionName: 'device.terminal.use',
    effect: 'Allow',
    scopeKind: 'CustomerTenant',
    scopeId: idOf(ids, 'Cedar School'),
  };
  const principal = { principalKind: 'User', principalId: idOf(ids, 'priya@northwind.example') };
  const id = await api.create('/api/v1/permission-assignments', { ...principal, ...rule, notes: 'Stands in for Lena', isEnabled: true });
  await api.put(`/api/v1/permission-assignments/${id}`, { ...rule, notes: 'Lena is back', isEnabled: false });
  await page.goto('/change-log');
  await page.getByRole('button', { name: 'changed “Use Remote Terminal”' }).click();
  await page.getByRole('dialog').getByText('Lena is back').waitFor();
  await camera.take('change-log');
}
