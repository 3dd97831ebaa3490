import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, type EntityManager } from 'typeorm';

import {
  forbidden,
  invalid,
  invalidField,
  notFound,
  PasswordChangeRequiredError,
  StepUpRequiredError,
  unauthorized,
} from '../../../platform/common/errors/errors.js';
import { EMPTY_GUID, isGuid } from '../../../platform/common/identifiers/guid.js';
import { Origins } from '../../../platform/http/addresses/origins.js';
import { API_VERSION, API_VERSION_PARAMETER, isSupportedVersion, isVersioned } from '../../../platform/http/api-version.js';
import { givenMoreThanOnce } from '../../../platform/http/binding/binding.pipe.js';
import { requireGuidSegment, requireInt32Segment } from '../../../platform/http/binding/route-parameters.js';
import { requireJsonBody } from '../../../platform/http/bodies/json-body.js';
import { FairShares } from '../../../platform/http/connections/fair-shares.js';
import { AuthenticationService } from '../../authentication/authentication.service.js';
import {
  callerIdOf,
  correlationFactsOf,
  isOfProgram,
  isSignedIn,
  mayNameAnyTenant,
  mayNameTenant,
  mustChangePassword,
  shareOf,
  tenantOf,
  type Principal,
} from '../../authentication/principals/principal.js';
import { RecentProof } from '../../authentication/sessions/recent-proof.js';
import { AuthorizationService } from '../evaluation/authorization.service.js';
import { isUnrestricted } from '../evaluation/evaluator.js';
import type { Rights } from '../evaluation/rights.js';
import type { Resource } from '../evaluation/rules.js';
import { RulesRepository } from '../evaluation/rules.repository.js';
import type { PermissionDefinition } from '../permissions/permission.js';
import { AccessDeclarations, type DeclaredRoute } from './access-declarations.js';
import type { AccessTarget, Carrier, TenantSource } from './access.js';
import { NamedTenants } from './named-tenants.js';

/** The permission and resource that opened a route. */
interface Grant {
  readonly permission: PermissionDefinition;
  readonly resource: Resource;
}

const HAS_NO_TENANT =
  'The call works in the tenant of its caller, and a service account of the server has none: name the tenant in a route of /api/v1 instead.';
const HAS_NOTHING_THERE = 'The account is restricted and has no permission assignments in the tenant.';
const NOT_SIGNED_IN = 'Only users who signed in can do this. Tokens and keys cannot change how their owner signs in.';
const PROVE_AGAIN = 'Confirm that it is you first: with your password, a passkey or a code.';
const SIGN_IN_AGAIN = 'The sign-in that the bearer token comes from is too old for this. Sign in again.';
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const HAS_NOTHING = 'The account is restricted and has no permission assignments.';

/**
 * Guards every route. Checks, in this order: path form (404), authentication (401), version (400), tenant (400, then
 * 403 or 404), access (403 or 404). A route without declarations stops the start (`access-declarations.ts`).
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly declarations: AccessDeclarations,
    private readonly authentication: AuthenticationService,
    private readonly shares: FairShares,
    private readonly authorization: AuthorizationService,
    private readonly rules: RulesRepository,
    private readonly tenants: NamedTenants,
    private readonly origins: Origins,
    private readonly proof: RecentProof,
    private readonly dataSource: DataSource,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<Request>();
    const route = this.declarations.of(execution.getClass(), execution.getHandler());
    rejectMalformedPath(request, route);
    if (route.failures !== null) request.failureForms = route.failures;
    if (route.access.kind === 'Anonymous') {
      rejectOtherVersion(request, route);
      this.requireOwnPage(request);
      await this.shares.ofAnonymous(request, route.path);
      return true;
    }

    const principal = await this.authenticate(request);
    rejectOtherVersion(request, route);
    const tenantId = route.tenant === null ? null : tenantOfCall(request, route.tenant, principal);
    let grant: Grant | null = null;
    // Set before the check: the log of a refused request names its caller.
    request.context = {
      principal,
      tenantId,
      requestId: request.id,
      remoteAddress: this.authentication.addressOf(request),
      readAt: request.readAt,
      manager: this.dataSource.manager,
      confirm: (manager) => this.confirm(manager, principal, grant),
    };
    request.correlation = correlationFactsOf(principal);
    if (mustChangePassword(principal) && !route.isOpenBeforePasswordChange) throw new PasswordChangeRequiredError();
    grant = await this.requireAccess(request, route, principal, tenantId);
    this.requireProof(principal, route);
    if (grant?.resource.kind === 'Device') request.deviceRight = { id: grant.resource.id, permission: grant.permission };
    request.requireStillAllowed = this.laterCheck(request, route, principal, tenantId);
    return true;
  }

  /**
   * Makes the check of a request while its answer lasts. In a method of its own: a scope that it shared with `confirm` kept whole requests
   * alive, and garbage collection took seven times as long.
   */
  private laterCheck(request: Request, route: DeclaredRoute, principal: Principal, tenantId: string | null): () => Promise<void> {
    return () => this.requireStillAllowed(request, route, principal, tenantId);
  }

  /** Checks again what the guard checked, from memory, while an answer lasts. 401, 403 or 404 when the credential or the right has ended. */
  private async requireStillAllowed(request: Request, route: DeclaredRoute, principal: Principal, tenantId: string | null): Promise<void> {
    if (!(await this.authentication.isStillValid(principal))) throw unauthorized('The credential ended during the request.');
    await this.requireAccess(request, route, principal, tenantId);
  }

  /** The caller, once it has a place among its own requests. Most requests get their places at once, and do not wait for them. */
  private async authenticate(request: Request): Promise<Principal> {
    const unknown = this.shares.ofUnknown(request);
    if (unknown !== undefined) await unknown;
    const principal = await this.authentication.authenticate(request);
    if (principal === null) throw unauthorized('A credential is required.');
    const known = this.shares.ofKnown(request, { id: callerIdOf(principal), share: shareOf(principal) });
    if (known !== undefined) await known;
    return principal;
  }

  /** Refuses pages of other sites: they may not sign a visitor in, register, or change anything else that needs no credential. */
  private requireOwnPage(request: Request): void {
    if (SAFE_METHODS.includes(request.method) || this.origins.allows(request)) return;
    throw forbidden('A page of another origin may not do this: list it in CorsAllowedOrigins.');
  }

  private requireProof(principal: Principal, route: DeclaredRoute): void {
    if (route.proofDuty === null || this.proof.isRecent(principal) !== false) return;
    if (!isOfProgram(principal)) {
      if (route.proofDuty === 'Everybody') throw new StepUpRequiredError(PROVE_AGAIN);
    } else if (route.access.kind !== 'Permission') throw new StepUpRequiredError(SIGN_IN_AGAIN);
  }

  /**
   * Returns the permission and resource that opened the route to the caller; null when no single permission did. 403 or 404 when nothing
   * does.
   */
  private async requireAccess(
    request: Request,
    route: DeclaredRoute,
    principal: Principal,
    tenantId: string | null,
  ): Promise<Grant | null> {
    const { access } = route;
    if (access.kind === 'Permission' && access.orServer !== null) {
      const server: Resource = { kind: 'Server' };
      if (await this.authorization.isAllowed(principal, access.orServer, server)) return { permission: access.orServer, resource: server };
    }
    if (access.kind === 'SignedIn' && !isSignedIn(principal)) throw forbidden(NOT_SIGNED_IN);
    if (route.tenant?.carrier === 'claim' && tenantId === null) throw forbidden(HAS_NO_TENANT);
    const scope = route.tenant?.isObject === false ? tenantId : null;
    if (scope !== null && !mayNameTenant(principal, scope)) throw forbidden('The tenant that the request names is not yours.');
    if (await this.authorization.hasNothing(principal)) throw forbidden(HAS_NOTHING);
    // A principal that is bound to a tenant would be gone with it.
    if (scope !== null && mayNameAnyTenant(principal)) await this.tenants.require(scope);
    if (access.kind !== 'Permission' || access.target.kind === 'DeviceScope') {
      if (scope !== null && (await this.authorization.hasNothingIn(principal, scope))) throw forbidden(HAS_NOTHING_THERE);
      return null;
    }
    const grant = { permission: access.permission, resource: await this.resourceOf(request, access.target, principal, tenantId) };
    await requireGrant(this.authorization, principal, grant);
    return grant;
  }

  /** Asks again, in the transaction of a change, whether the caller may still do what the route was opened for. */
  private async confirm(manager: EntityManager, principal: Principal, grant: Grant | null): Promise<void> {
    const { isValid } = await this.authentication.standingIn(manager, principal);
    if (!isValid) throw unauthorized('The credential ended during the request.');
    const rights = this.authorization.storedRights(manager);
    if (await rights.hasNothing(principal)) throw forbidden(HAS_NOTHING);
    if (grant === null || isUnrestricted(principal)) return;
    const { permission, resource } = grant;
    // A device may have been moved since. One that the change deletes is as it was.
    const current = resource.kind === 'Device' ? ((await rights.device(resource.id)) ?? resource) : resource;
    await requireGrant(rights, principal, { permission, resource: current });
  }

  private async resourceOf(request: Request, target: AccessTarget, principal: Principal, tenantId: string | null): Promise<Resource> {
    switch (target.kind) {
      case 'Server':
      case 'DeviceScope':
        return { kind: 'Server' };
      case 'Tenant':
        if (tenantId === null) throw new Error('The route evaluates a permission on its tenant but takes none.');
        return { kind: 'Tenant', tenantId };
      case 'Device': {
        const device = await this.authorization.device(readGuid(request, target.carrier, target.field));
        // One message for an unknown device and for a device of a tenant that the caller cannot name.
        const reachable = device !== null && (tenantId === null ? mayNameTenant(principal, device.tenantId) : device.tenantId === tenantId);
        if (!reachable) throw target.isMember ? invalidField(target.field, 'The tenant has no such device.') : notFound('The device');
        request.deviceId = device.id;
        return device;
      }
      case 'DeviceGroup':
      case 'UserGroup': {
        const id = readGuid(request, target.carrier, target.field);
        const owner = await this.rules.tenantOf(target.kind, id);
        const reachable = owner !== null && (tenantId === null ? mayNameTenant(principal, owner) : owner === tenantId);
        if (!reachable) throw notFound(target.kind === 'DeviceGroup' ? 'The device group' : 'The user group');
        return { kind: target.kind, id, tenantId: owner };
      }
    }
  }
}

async function requireGrant(rights: Rights, principal: Principal, { permission, resource }: Grant): Promise<void> {
  if (!(await rights.isAllowed(principal, permission, resource))) throw forbidden(`The permission ${permission.name} is required.`);
}

/** Refuses a path segment that cannot be what the route declares: there is no such route. */
function rejectMalformedPath(request: Request, { guidSegments, intSegments }: DeclaredRoute): void {
  for (const name of guidSegments) requireGuidSegment(name, request.params[name]);
  for (const name of intSegments) requireInt32Segment(name, request.params[name]);
}

/** Refuses an unsupported version instead of answering as another version. */
function rejectOtherVersion(request: Request, { path }: DeclaredRoute): void {
  // Express parses the query on each access, and most requests have no query.
  if (!isVersioned(path) || !request.url.includes('?')) return;
  if (isSupportedVersion(read(request, 'query', API_VERSION_PARAMETER))) return;
  throw invalidField(API_VERSION_PARAMETER, `${API_VERSION_PARAMETER} must be ${API_VERSION}, the only version that is supported.`);
}

/**
 * The tenant that a request names. A missing or all-zero id is refused with a sentence, a malformed one under `errors`. On routes that
 * take the caller's own, null for a caller that has none.
 */
function tenantOfCall(request: Request, source: TenantSource, principal: Principal): string | null {
  if (source.carrier === 'claim') return tenantOf(principal);
  const { carrier, field, isOptional } = source;
  const value = read(request, carrier, field);
  if (isOptional === true && (value === undefined || value === '')) {
    const own = tenantOf(principal);
    if (own !== null) return own;
  }
  if (value === undefined || value === null || value === '' || value === EMPTY_GUID) {
    const place = carrier === 'query' ? `query parameter ${field}` : field;
    throw invalid(`The ${place} is required: name the tenant by its id, which is not all zeros.`);
  }
  if (!isGuid(value)) throw invalidField(field, `${field} must be a GUID.`);
  return value.toLowerCase();
}

function readGuid(request: Request, carrier: Carrier, field: string): string {
  const value = read(request, carrier, field);
  // A path names a thing even with zeros; a body or query with zeros has left the id out.
  const isLeftOut = value === undefined || value === null || (value === EMPTY_GUID && carrier !== 'path');
  if (isLeftOut) throw invalidField(field, `${field} is required.`);
  if (!isGuid(value)) throw invalidField(field, `${field} must be a GUID.`);
  return value.toLowerCase();
}

/** A value by its name, in any case; 400 when it is given more than once. */
function read(request: Request, carrier: Carrier, field: string): unknown {
  if (carrier === 'path') return request.params[field];
  if (carrier === 'body') requireJsonBody(request.body);
  const holder: unknown = carrier === 'query' ? request.query : request.body;
  if (typeof holder !== 'object' || holder === null) return undefined;
  const wanted = field.toLowerCase();
  const values: unknown[] = Object.entries(holder).flatMap(([key, value]: [string, unknown]) =>
    key.toLowerCase() !== wanted ? [] : carrier === 'query' && Array.isArray(value) ? value : [value],
  );
  // With two values, the guard and the handler might read different ones.
  if (values.length > 1) throw invalidField(field, givenMoreThanOnce(field));
  return values[0];
}
