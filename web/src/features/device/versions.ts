import { api } from '../../api/client.js';
import { ifMatch, versionOf } from '../../api/versioned.js';
import { type Versioned, versionAs } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { Checks } from '../../ui/edit/use-checked.js';
import type { FormValues } from '../../ui/form/Form.js';
import { type Device, nameOf } from '../../model/devices/device.js';
import { t } from './texts.js';

const read = (deviceId: string): Promise<Versioned<Device>> =>
  versionOf(api.GET('/api/v1/devices/{deviceId}', { params: { path: { deviceId } } }));

const aliasIn = ({ alias }: Pick<Device, 'alias'>): FormValues => ({ alias: alias ?? '' });

/** The alias of a device, as a form changes it. */
export const aliasOf = (deviceId: string): Editable => ({
  read: async () => versionAs(await read(deviceId), aliasIn),
  async save({ alias = '' }, tag) {
    const init = { params: { path: { deviceId } }, body: { deviceId, alias }, headers: ifMatch(tag) };
    return versionAs(await versionOf(api.PATCH('/api/v1/devices/{deviceId}/alias', init)), aliasIn);
  },
});

/** Reads a device before it is deleted. */
export const DEVICE_CHECKS: Checks<Device> = { read: ({ id }) => aliasOf(id).read(), nameOf, labelOf: () => t('alias') };
