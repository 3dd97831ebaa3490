import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiParam, ApiQuery, ApiSecurity } from '@nestjs/swagger';

import type { PermissionDefinition } from './permission.js';

/** Where a request carries the id of what it is about. */
export type Carrier = 'path' | 'query' | 'body';

/** What a route's permission is evaluated on. */
export type AccessTarget =
  | { readonly kind: 'Server' }
  | { readonly kind: 'Tenant' }
  | {
      readonly kind: 'Device' | 'DeviceGroup' | 'UserGroup';
      readonly carrier: Carrier;
      readonly field: string;
      /** 400 instead of 404 when there is no such thing in the named tenant: then the field is wrong, not the route. */
      readonly isMember?: true;
    }
  /** Every device by itself: the service puts the device scope into its SQL. */
  | { readonly kind: 'DeviceScope' };

/** What a route declares of who may call it. */
export type Access =
  | { readonly kind: 'Anonymous' }
  | { readonly kind: 'Authenticated' }
  | {
      readonly kind: 'Permission';
      readonly permission: PermissionDefinition;
      readonly target: AccessTarget;
      /** A server permission whose holder may do the same in any tenant that the request names. */
      readonly orServer: PermissionDefinition | null;
    };

/** Where a route takes the tenant from (`docs/authorization.md`). */
export interface TenantSource {
  readonly carrier: Carrier;
  readonly field: string;
  /** Whether the tenant is what the route is about instead of the scope it works in: then a server permission decides. */
  readonly isObject: boolean;
}

export const ACCESS = Symbol('access');
export const TENANT_SOURCE = Symbol('tenant source');

const TENANT_ID = 'Id of the tenant that the call works in.';
const SCHEMES = ['cookie', 'x-personal-token', 'x-api-key'] as const;

/** What a permission is evaluated on, as a route declares it. */
export const on = {
  /** The server as a whole. */
  server: { kind: 'Server' },
  /** The tenant that the request names. */
  tenant: { kind: 'Tenant' },
  /** Each device by itself, inside the service's SQL. */
  deviceScope: { kind: 'DeviceScope' },
  /** The device of a path segment. */
  device: (segment: string): AccessTarget => ({ kind: 'Device', carrier: 'path', field: segment }),
  /** The device that a body names. */
  deviceInBody: (field: string): AccessTarget => ({ kind: 'Device', carrier: 'body', field }),
  /** The device that a body names and that has to belong to the tenant that it names, too: otherwise the body is wrong (400). */
  deviceOfTenantInBody: (field: string): AccessTarget => ({ kind: 'Device', carrier: 'body', field, isMember: true }),
  /** The device group of a path segment. */
  deviceGroup: (segment: string): AccessTarget => ({ kind: 'DeviceGroup', carrier: 'path', field: segment }),
  /** The user group of a path segment. */
  userGroup: (segment: string): AccessTarget => ({ kind: 'UserGroup', carrier: 'path', field: segment }),
} as const satisfies Record<string, AccessTarget | ((name: string) => AccessTarget)>;

/**
 * Only callers that hold the permission on the target (the named tenant, unless said otherwise) reach the route. Guard,
 * OpenAPI security and the documented permission come from this one declaration.
 */
export function RequireAccess(
  permission: PermissionDefinition,
  target: AccessTarget = on.tenant,
  options: { readonly orServer?: PermissionDefinition } = {},
): MethodDecorator {
  const access: Access = { kind: 'Permission', permission, target, orServer: options.orServer ?? null };
  return applyDecorators(
    SetMetadata(ACCESS, access),
    ...SCHEMES.map((scheme) => ApiSecurity(scheme)),
    ApiExtension('x-permission', { name: permission.name, on: target.kind }),
  );
}

/** Any caller that authenticates reaches the route. */
export function RequireAuthenticated(): MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, { kind: 'Authenticated' } satisfies Access), ...SCHEMES.map((scheme) => ApiSecurity(scheme)));
}

/** Everybody reaches the route; credentials are not looked at. */
export function AllowAnonymous(): MethodDecorator {
  return applyDecorators(SetMetadata(ACCESS, { kind: 'Anonymous' } satisfies Access));
}

/** The routes of a controller, or one route, take the tenant from the `tenantId` query value. */
export function TenantInQuery(): ClassDecorator & MethodDecorator {
  return applyDecorators(
    SetMetadata(TENANT_SOURCE, { carrier: 'query', field: 'tenantId', isObject: false } satisfies TenantSource),
    ApiQuery({ name: 'tenantId', description: TENANT_ID, required: true, schema: { type: 'string', format: 'uuid' } }),
  );
}

/** The routes take the tenant from the `tenantId` path segment. */
export function TenantInPath(): ClassDecorator & MethodDecorator {
  return applyDecorators(
    SetMetadata(TENANT_SOURCE, { carrier: 'path', field: 'tenantId', isObject: false } satisfies TenantSource),
    ApiParam({ name: 'tenantId', description: TENANT_ID, required: true, schema: { type: 'string', format: 'uuid' } }),
  );
}

/** The route takes the tenant from the `tenantId` member of its body. */
export function TenantInBody(): ClassDecorator & MethodDecorator {
  return SetMetadata(TENANT_SOURCE, { carrier: 'body', field: 'tenantId', isObject: false } satisfies TenantSource);
}

/** The route is about the tenant of its `tenantId` path segment: users who hold its server permission may name any. */
export function TenantIsObject(): MethodDecorator {
  return SetMetadata(TENANT_SOURCE, { carrier: 'path', field: 'tenantId', isObject: true } satisfies TenantSource);
}
