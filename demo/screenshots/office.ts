import { addDevices, COLLEAGUES, CUSTOMERS, FIRST_USER, GROUPS, type Ids, idOf, TAGS } from './northwind.js';
import { PageApi } from './page-api.js';
import type { Stage } from './stage.js';

/** The tenant once it is furnished. */
export interface Office {
  /** The front desk, the device with an agent. */
  readonly deviceId: string;
  readonly ids: Ids;
  readonly api: PageApi;
}

/** Adds customers, tags, groups, colleagues and the other devices to the tenant of the user who is signed in. */
export async function furnish({ page, database }: Stage): Promise<Office> {
  const api = await PageApi.of(page);
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
  await api.post(`/api/v1/device-groups/${idOf(ids, 'Front desks')}/members`, { deviceIds: [device.id] });
  await addDevices(database, api.tenantId, device.agentVersion, ids);
  return { deviceId: device.id, ids, api };
}
