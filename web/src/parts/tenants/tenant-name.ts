import { api, type Schemas } from '../../api/client.js';
import { ifMatch, versionOf } from '../../api/versioned.js';
import { versionAs, type Versioned } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { FormValues } from '../../ui/form/Form.js';

const formOf = ({ tenantName }: Schemas['GetTenantResponseDto']): FormValues => ({ name: tenantName });

/** The name of a tenant as it is stored now. */
export const readTenantName = async (tenantId: string): Promise<Versioned<FormValues>> =>
  versionAs(await versionOf(api.GET('/api/v1/tenants/{tenantId}', { params: { path: { tenantId } } })), formOf);

/** The name of a tenant, as a form changes it. */
export const tenantName = (tenantId: string): Editable => ({
  read: () => readTenantName(tenantId),
  async save({ name = '' }, tag) {
    const params = { path: { tenantId } };
    return versionAs(await versionOf(api.PUT('/api/v1/tenants/{tenantId}', { params, body: { name }, headers: ifMatch(tag) })), formOf);
  },
});
