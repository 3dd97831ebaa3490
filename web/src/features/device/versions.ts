import { readDevice, setAlias } from '../../api/devices/device-mutations.js';
import { versionAs } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { Checks } from '../../ui/edit/use-checked.js';
import type { FormValues } from '../../ui/form/Form.js';
import type { Schemas } from '../../model/schemas.js';
import { type Device, nameOf } from '../../model/devices/device.js';
import { t } from './texts.js';

/** Fields of the alias of a device. */
export type DeviceField = keyof Schemas['UpdateDeviceAliasRequestDto'];

const aliasIn = ({ alias }: Pick<Device, 'alias'>): FormValues<DeviceField> => ({ alias: alias ?? '' });

/** The alias of a device, as a form changes it. */
export const aliasOf = (deviceId: string): Editable<DeviceField> => ({
  read: async () => versionAs(await readDevice(deviceId), aliasIn),
  save: async ({ alias = '' }, tag) => versionAs(await setAlias(deviceId, alias, tag), aliasIn),
});

/** Reads a device before it is deleted. */
export const DEVICE_CHECKS: Checks<Device> = { read: ({ id }) => aliasOf(id).read(), nameOf, labelOf: () => t('alias') };
