import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import type { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { forbidden } from '../../platform/common/errors/errors.js';
import { ServiceAccountAccessMode } from './service-account.entity.js';

/**
 * An Unrestricted account bypasses every check, so making one, or a credential for one, needs the right to grant server permissions:
 * 403 otherwise. `what` completes the sentence of the refusal. The rights are read on the connection of the context.
 */
export async function requireMayMake(
  authorization: AuthorizationService,
  { principal, manager }: RequestContext,
  { accessMode }: { readonly accessMode: ServiceAccountAccessMode },
  what: string,
): Promise<void> {
  if (accessMode !== ServiceAccountAccessMode.Unrestricted) return;
  if (await authorization.storedRights(manager).isAllowed(principal, Permission.ServerPermissionsWrite, { kind: 'Server' })) return;
  throw forbidden(`An Unrestricted account bypasses every check: ${what} also requires ${Permission.ServerPermissionsWrite.name}.`);
}
