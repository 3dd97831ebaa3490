import { newGuid } from '../../../../src/platform/common/identifiers/guid.js';
import type { TestApp } from '../../../support/application/app.js';

/** Time for what follows after waits between attempts, on a busy machine. */
export const PATIENT_MS = 60_000;

const WRITE = `
  INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, owning_tenant_id, after_json)
  VALUES ($1, $2, 'user', 'Tag', $3, $4)`;

/** Inserts an entry of the change log as any writer does. Returns its id. */
export async function writeChange(server: TestApp, tenantId: string, { action = 'tag-created', after = '{}' } = {}): Promise<string> {
  const id = newGuid();
  await server.dataSource.query(WRITE, [id, action, tenantId, after]);
  return id;
}
