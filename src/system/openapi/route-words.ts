import type { DeclaredRoute } from '../../access/authorization/guard/access-declarations.js';
import type { Access, AccessTarget, ProofDuty, TenantSource } from '../../access/authorization/guard/access.js';
import type { PermissionDefinition } from '../../access/authorization/permissions/permission.js';
import { cacheControlOf, type CacheRule } from '../../platform/http/response-cache.js';

const IN_BROWSER = 'In a browser session, the user must have signed in or repeated a proof recently (`POST /account/step-up`).';
const IN_PROGRAM = 'A bearer token must come from a sign-in of the last minutes (`StepUpAfterMinutes`).';
const OTHERWISE = 'Otherwise the answer is 403 with `"reason": "StepUpRequired"`.';

/** Explains the declarations of a route to callers, as Markdown paragraphs for the end of its description. */
export function routeWords({
  access,
  tenant,
  cache,
  proofDuty,
  replacement,
}: Pick<DeclaredRoute, 'access' | 'tenant' | 'cache' | 'proofDuty' | 'replacement'>): readonly string[] {
  return [
    ...(replacement === null ? [] : [`**Deprecated:** use \`${replacement}\` instead.`]),
    `**Permission:** ${accessWords(access, tenant)}`,
    ...(tenant === null ? [] : [`**Tenant:** ${tenantWords(tenant, access)}`]),
    ...(proofDuty === null ? [] : [`**Proof:** ${proofWords(proofDuty, access)}`]),
    ...(cache === null ? [] : [`**Caching:** ${cacheWords(cache)}`]),
  ];
}

function accessWords(access: Access, tenant: TenantSource | null): string {
  if (access.kind === 'Anonymous') return 'none. No credential is needed, and one that is sent is ignored.';
  if (access.kind === 'Authenticated') return 'none. Every caller that authenticates may use it.';
  if (access.kind === 'SignedIn') return 'none. Users who signed in may use it for their own account; tokens and keys may not.';
  const { permission, target, orServer } = access;
  const alternative =
    orServer === null ? '' : ` Instead, ${code(orServer)} on the server suffices; it holds in every tenant, also those of others.`;
  if (target.kind === 'DeviceScope') {
    return `${code(permission)}, decided device by device. Devices on which the caller does not hold it do not exist for the call; a caller that holds it on no device is not refused.${alternative}`;
  }
  return `${code(permission)} on ${targetWords(target, tenant)}.${alternative}`;
}

function proofWords(duty: ProofDuty, access: Access): string {
  if (access.kind === 'Permission') return `${IN_BROWSER} ${OTHERWISE}`;
  return duty === 'Programs' ? `${IN_PROGRAM} ${OTHERWISE}` : `${IN_BROWSER} ${IN_PROGRAM} ${OTHERWISE}`;
}

function targetWords(target: Exclude<AccessTarget, { kind: 'DeviceScope' }>, tenant: TenantSource | null): string {
  switch (target.kind) {
    case 'Server':
      return 'the server';
    case 'Tenant':
      return tenant?.carrier === 'claim' ? "the caller's tenant" : 'the tenant that the request names';
    case 'Device':
      return `the device that \`${target.field}\` names`;
    case 'DeviceGroup':
      return `the device group that \`${target.field}\` names`;
    case 'UserGroup':
      return `the user group that \`${target.field}\` names`;
  }
}

function tenantWords(tenant: TenantSource, access: Access): string {
  if (tenant.carrier === 'claim') return "the caller's own. Server service accounts have none, and are refused.";
  const { carrier, field, isObject, isOptional } = tenant;
  if (isObject) return 'any. The permission on the server decides, whatever tenant the caller belongs to.';
  const source = `\`${field}\` in the ${carrier}`;
  if (access.kind === 'Anonymous') return `${source}.`;
  if (isOptional === true) return `${source}, which callers that belong to a tenant may omit: they can name their own only. Server service accounts name any.`;
  return `${source}. Users and tenant service accounts can name their own tenant only, server service accounts any.`;
}

function cacheWords(rule: CacheRule): string {
  return `the answer may be up to ${rule.seconds} s old, and may be kept as long (\`Cache-Control: ${cacheControlOf(rule)}\`).`;
}

function code({ name }: PermissionDefinition): string {
  return `\`${name}\``;
}
