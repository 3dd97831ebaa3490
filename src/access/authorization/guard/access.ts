import { applyDecorators, SetMetadata } from '@nestjs/common';

import { described } from '../../../platform/http/described.js';
import type { PermissionDefinition } from '../permissions/permission.js';

/** The part of a request that carries the id of its target. */
export type Carrier = 'path' | 'query' | 'body';

/** The target on which a route's permission is checked. */
export type AccessTarget =
  | { readonly kind: 'Server' }
  | { readonly kind: 'Tenant' }
  | {
      readonly kind: 'Device' | 'DeviceGroup' | 'UserGroup';
      readonly carrier: Carrier;
      readonly field: string;
      /** Answers 400 instead of 404 when the named tenant does not have the target: then a field of the body is wrong, not the path. */
      readonly isMember?: true;
    }
  /** Each device separately: the service adds the device scope to its SQL. */
  | { readonly kind: 'DeviceScope' };

/** The callers to whom a route is open. */
export type Access =
  | { readonly kind: 'Anonymous' }
  | { readonly kind: 'Authenticated' }
  /** Users who signed in themselves: their actions concern their own account. */
  | { readonly kind: 'SignedIn' }
  | {
      readonly kind: 'Permission';
      readonly permission: PermissionDefinition;
      readonly target: AccessTarget;
      /** A server permission that allows the same in any tenant that the request names. */
      readonly orServer: PermissionDefinition | null;
    };

/** The source from which a route takes the tenant (`docs/authorization.md`). */
export type TenantSource =
  | {
      readonly carrier: Carrier;
      readonly field: string;
      /** True if the route is about the tenant itself instead of something inside it. Then a server permission decides. */
      readonly isObject: boolean;
      /** True if callers who have a tenant may omit it: then it is their own. */
      readonly isOptional?: true;
    }
  /** The caller's own tenant, whatever the request says. */
  | { readonly carrier: 'claim'; readonly isObject: false };

export const ACCESS = Symbol('access');
export const TENANT_SOURCE = Symbol('tenant source');
export const RECENT_PROOF = Symbol('recent proof');
export const BEFORE_PASSWORD_CHANGE = Symbol('before password change');

const TENANT_PARAMETER = {
  name: 'tenantId',
  description: 'Id of the tenant that the call works in.',
  required: true,
  schema: { type: 'string', format: 'uuid' },
} as const;
const SCHEMES = ['cookie', 'x-personal-token', 'x-api-key'] as const;

const security = (scheme: (typeof SCHEMES)[number]): MethodDecorator => described(({ ApiSecurity }) => ApiSecurity(scheme));

/** The targets that routes declare. */
export const on = {
  /** The server as a whole. */
  server: { kind: 'Server' },
  /** The tenant that the request names. */
  tenant: { kind: 'Tenant' },
  /** Each device separately, inside the service's SQL. */
  deviceScope: { kind: 'DeviceScope' },
  /** The device of a path segment. */
  device: (segment: string): AccessTarget => ({ kind: 'Device', carrier: 'path', field: segment }),
  /** The device that a body names. */
  deviceInBody: (field: string): AccessTarget => ({ kind: 'Device', carrier: 'body', field }),
  /** The device that a body names. It must belong to the tenant that the body names (otherwise 400). */
  deviceOfTenantInBody: (field: string): AccessTarget => ({ kind: 'Device', carrier: 'body', field, isMember: true }),
  /** The device group of a path segment. */
  deviceGroup: (segment: string): AccessTarget => ({ kind: 'DeviceGroup', carrier: 'path', field: segment }),
  /** The user group of a path segment. */
  userGroup: (segment: string): AccessTarget => ({ kind: 'UserGroup', carrier: 'path', field: segment }),
} as const satisfies Record<string, AccessTarget | ((name: string) => AccessTarget)>;

/**
 * Limits the route to callers that hold the permission on the target, by default the named tenant. The guard, the
 * OpenAPI security and the documented permission all come from this declaration.
 */
export function RequireAccess(
  permission: PermissionDefinition,
  target: AccessTarget = on.tenant,
  options: { readonly orServer?: PermissionDefinition } = {},
): MethodDecorator {
  const access: Access = { kind: 'Permission', permission, target, orServer: options.orServer ?? null };
  return applyDecorators(
    SetMetadata(ACCESS, access),
    ...SCHEMES.map(security),
    described(({ ApiExtension }) => ApiExtension('x-permission', { name: permission.name, on: target.kind })),
  );
}

/** Opens the route to every authenticated caller. */
export function RequireAuthenticated(): MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, { kind: 'Authenticated' } satisfies Access), ...SCHEMES.map(security));
}

/**
 * Opens the route to users who signed in, for matters of their own account. Personal access tokens and the sessions of logon tokens are
 * refused: neither may take over the account of the user whom they act as.
 */
export function RequireSignedIn(): MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, { kind: 'SignedIn' } satisfies Access), security('cookie'));
}

/** The users whose proof of identity must be recent: all who signed in, or only those who use bearer tokens. */
export type ProofDuty = 'Everybody' | 'Programs';

/**
 * Asks signed-in users to confirm their identity, when their last proof is older than `StepUpAfterMinutes`. For routes that make or change
 * credentials. Where a permission decides, bearer tokens and other credentials pass.
 */
export function RequireRecentProof(): MethodDecorator {
  return SetMetadata(RECENT_PROOF, 'Everybody' satisfies ProofDuty);
}

/**
 * Refuses bearer tokens whose user signed in longer than `StepUpAfterMinutes` ago. For routes that change how a user signs in but ask
 * browsers for no further proof: the change takes the password anyway, or does little harm.
 */
export function RequireRecentSignInOfPrograms(): MethodDecorator {
  return SetMetadata(RECENT_PROOF, 'Programs' satisfies ProofDuty);
}

/** Leaves the route open to users who have to change their password before anything else. */
export function AllowedBeforePasswordChange(): MethodDecorator {
  return SetMetadata(BEFORE_PASSWORD_CHANGE, true);
}

/** Opens the route to everybody. Credentials are not read. */
export function AllowAnonymous(): MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, { kind: 'Anonymous' } satisfies Access));
}

/** Takes the tenant of a route, or of all routes of a controller, from the `tenantId` query value. */
export function TenantInQuery(): ClassDecorator & MethodDecorator {
  return applyDecorators(
    SetMetadata(TENANT_SOURCE, { carrier: 'query', field: 'tenantId', isObject: false } satisfies TenantSource),
    described(({ ApiQuery }) => ApiQuery(TENANT_PARAMETER)),
  );
}

/** The same for callers who have no tenant, or who name theirs; others are taken to mean their own. */
export function TenantInQueryOrOfCaller(): ClassDecorator & MethodDecorator {
  const source: TenantSource = { carrier: 'query', field: 'tenantId', isObject: false, isOptional: true };
  const parameter = { ...TENANT_PARAMETER, description: 'Id of the tenant; callers that belong to one may omit it.', required: false };
  return applyDecorators(
    SetMetadata(TENANT_SOURCE, source),
    described(({ ApiQuery }) => ApiQuery(parameter)),
  );
}

/** Takes the tenant from the `tenantId` path segment. */
export function TenantInPath(): ClassDecorator & MethodDecorator {
  return applyDecorators(
    SetMetadata(TENANT_SOURCE, { carrier: 'path', field: 'tenantId', isObject: false } satisfies TenantSource),
    described(({ ApiParam }) => ApiParam(TENANT_PARAMETER)),
  );
}

/** Takes the tenant from the `tenantId` member of the body. */
export function TenantInBody(): ClassDecorator & MethodDecorator {
  return SetMetadata(TENANT_SOURCE, { carrier: 'body', field: 'tenantId', isObject: false } satisfies TenantSource);
}

/** Takes the tenant that the caller belongs to. Callers that belong to none are refused with 403. */
export function TenantOfCaller(): ClassDecorator & MethodDecorator {
  return SetMetadata(TENANT_SOURCE, { carrier: 'claim', isObject: false } satisfies TenantSource);
}

/** Makes the tenant of the `tenantId` path segment the object of the route: users who hold its server permission may name any tenant. */
export function TenantIsObject(): MethodDecorator {
  return SetMetadata(TENANT_SOURCE, { carrier: 'path', field: 'tenantId', isObject: true } satisfies TenantSource);
}
