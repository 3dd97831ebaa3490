import { readTenantSettings, saveTenantSettings, type TenantSettings } from '../../api/tenants/tenant-settings.js';
import { type Versioned, versionAs } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { FormValues } from '../../ui/form/Form.js';

/** Fields of the settings. */
export type SettingField = keyof TenantSettings;

const formOf = ({ instanceId }: TenantSettings): FormValues<SettingField> => ({ instanceId: instanceId ?? '' });

/** The id that stands in a form; null for none. */
export function instanceIdOf({ instanceId = '' }: FormValues<SettingField>): string | null {
  const typed = instanceId.trim();
  return typed === '' ? null : typed;
}

/** Initial values of the settings form. */
export const instanceIdIn = (settings: Versioned<TenantSettings>): Versioned<FormValues<SettingField>> => versionAs(settings, formOf);

/** The id of the instance, as a form changes it. */
export const INSTANCE_ID: Editable<SettingField> = {
  read: async () => instanceIdIn(await readTenantSettings()),
  save: async (values, tag) => instanceIdIn(await saveTenantSettings({ instanceId: instanceIdOf(values) }, tag)),
};
