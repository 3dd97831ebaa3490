import { unauthorized } from '../../../platform/common/errors/errors.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { callerIdOf, dataOwnerOf } from './principal.js';
import type { RequestContext } from './request-context.js';

const HOLD_USER = 'SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE';
const HOLD_SESSION = 'SELECT 1 FROM sessions WHERE id = $1 FOR KEY SHARE';
const HOLD_SERVICE_ACCOUNT = 'SELECT 1 FROM service_accounts WHERE id = $1 FOR KEY SHARE';

/**
 * Locks the row of the caller, a user or a service account, or the session of a logon token, until the transaction ends, and returns the
 * id that owns its data. Rows that belong to either kind have no foreign key to their owner, so code that writes such a row must lock the
 * owner first. 401 when the caller was deleted after it authenticated.
 */
export async function holdCaller({ manager, principal }: InTransaction<RequestContext>): Promise<string> {
  const id = callerIdOf(principal);
  const rows = await manager.query<object[]>(principal.type === 'User' ? HOLD_USER : HOLD_SERVICE_ACCOUNT, [id]);
  if (rows.length === 0) throw unauthorized('The account of the credential was deleted.');
  const owner = dataOwnerOf(principal);
  if (owner !== id && (await manager.query<object[]>(HOLD_SESSION, [owner])).length === 0) throw unauthorized('The session has ended.');
  return owner;
}
