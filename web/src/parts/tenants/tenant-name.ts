import { readOwnTenant, readTenant, renameOwnTenant, renameTenant, type StoredTenant } from '../../api/tenants/tenants.js';
import { versionAs, type Versioned } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { FormValues } from '../../ui/form/Form.js';
import type { Schemas } from '../../model/schemas.js';

/** Fields of a tenant's form. */
export type TenantField = keyof Schemas['UpdateTenantRequestDto'];

const formOf = ({ tenantName }: StoredTenant): FormValues<TenantField> => ({ name: tenantName });

/** The name of a tenant as it is stored now. */
export const readTenantName = async (tenantId: string): Promise<Versioned<FormValues<TenantField>>> =>
  versionAs(await readTenant(tenantId), formOf);

/** The name of a tenant, as a form changes it. */
export const tenantName = (tenantId: string): Editable<TenantField> => ({
  read: () => readTenantName(tenantId),
  save: async ({ name = '' }, tag) => versionAs(await renameTenant(tenantId, name, tag), formOf),
});

/** The name of the user's tenant, as a form changes it. */
export const OWN_TENANT_NAME: Editable<TenantField> = {
  read: async () => versionAs(await readOwnTenant(), formOf),
  save: async ({ name = '' }, tag) => versionAs(await renameOwnTenant(name, tag), formOf),
};
