import type { RequestContext } from '../authentication/request-context.js';
import type { AuthorizationService } from '../authorization/authorization.service.js';
import { Permission } from '../authorization/permission.js';
import { forbidden } from '../common/errors.js';
import { ServiceAccountAccessMode } from './service-account.entity.js';

/**
 * An Unrestricted account bypasses every check. Creating one, or a credential for one, therefore needs the permission
 * to grant server permissions (403). `what` completes the sentence of the refusal. Call it before a transaction starts:
 * the check may need its own connection.
 */
export async function requireMayMake(
  authorization: AuthorizationService,
  { principal }: RequestContext,
  { accessMode }: { readonly accessMode: ServiceAccountAccessMode },
  what: string,
): Promise<void> {
  if (accessMode !== ServiceAccountAccessMode.Unrestricted) return;
  if (await authorization.isAllowed(principal, Permission.ServerPermissionsWrite, { kind: 'Server' })) return;
  throw forbidden(`An Unrestricted account bypasses every check: ${what} also requires ${Permission.ServerPermissionsWrite.name}.`);
}
