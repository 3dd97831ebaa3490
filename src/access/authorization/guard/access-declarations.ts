import { Injectable, RequestMethod, type OnModuleInit, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import type { TaggedState } from '../../../platform/common/resources/entity-tag.js';
import { LOCATION } from '../../../platform/http/addresses/created-location.js';
import { guidParametersOf, intParametersOf } from '../../../platform/http/binding/route-parameters.js';
import { TAGGED_STATE, TAKES_IF_MATCH } from '../../../platform/http/bodies/entity-tags.js';
import { FAILURE_FORMS, type FailureForms } from '../../../platform/http/problems/failure-forms.js';
import { REPLACEMENT } from '../../../platform/http/replaced-by.js';
import { CACHE_RULE, type CacheRule } from '../../../platform/http/response-cache.js';
import { ACCESS, BEFORE_PASSWORD_CHANGE, RECENT_PROOF, TENANT_SOURCE, type Access, type ProofDuty, type TenantSource } from './access.js';

/** A route and its declarations. */
export interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  readonly controller: string;
  readonly handler: string;
  readonly access: Access;
  readonly tenant: TenantSource | null;
  /** The signed-in users whose proof of identity must be recent; null when nobody's must be. */
  readonly proofDuty: ProofDuty | null;
  /** True if users may call it who have to change their password first. */
  readonly isOpenBeforePasswordChange: boolean;
  /** Caching of its answers; null when they are not cached. */
  readonly cache: CacheRule | null;
  /** Template of the path at which the created thing can be read; null when the route creates nothing that has its own path. */
  readonly location: string | null;
  /** The part of its answers that people can change, whose tag the answers carry; null when they carry none. */
  readonly taggedState: TaggedState<unknown> | null;
  /** True if it takes such a tag in `If-Match`. */
  readonly takesIfMatch: boolean;
  /** The route to use instead; null when the route is not deprecated. */
  readonly replacement: string | null;
  /** The failures that are not answered with Problem Details of their own status; null when all are. */
  readonly failures: FailureForms | null;
  /** Matches the paths of this route, including the declared form of each segment. */
  readonly pattern: RegExp;
  /** Names of the path segments that are GUIDs, and of those that are whole numbers. */
  readonly guidSegments: readonly string[];
  readonly intSegments: readonly string[];
}

/**
 * Reads every controller's declarations once; a route without one stops the start. The front end's files and pages are no routes: `src/system/web`
 * serves them in front of all routes, to everybody.
 */
@Injectable()
export class AccessDeclarations implements OnModuleInit {
  private readonly byHandler = new Map<unknown, DeclaredRoute>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const undeclared: string[] = [];
    for (const { metatype, instance } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function' || typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, unknown>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name] as object;
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (method === undefined) continue;
        const access = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
        if (access === undefined) undeclared.push(`${metatype.name}.${name}`);
        else this.declare(metatype as Type<object>, name, handler, method, access);
      }
    }
    if (undeclared.length > 0) {
      throw new Error(
        `These routes declare no access (RequireAccess, RequireSignedIn, RequireAuthenticated or AllowAnonymous): ${undeclared.join(', ')}.`,
      );
    }
  }

  /** The declarations of a handler. */
  of(controller: Type, handler: object): DeclaredRoute {
    const route = this.byHandler.get(handler);
    if (route === undefined) throw new Error(`${controller.name} has a route that was not declared at the start.`);
    return route;
  }

  /** Every declared route. */
  all(): readonly DeclaredRoute[] {
    return [...this.byHandler.values()];
  }

  /** The methods that a path supports; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    const methods = this.all().flatMap((route) => (route.pattern.test(path) ? [route.method] : []));
    return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort();
  }

  private declare(controller: Type<object>, name: string, handler: object, method: RequestMethod, access: Access): void {
    const tenant =
      (Reflect.getMetadata(TENANT_SOURCE, handler) as TenantSource | undefined) ??
      (Reflect.getMetadata(TENANT_SOURCE, controller) as TenantSource | undefined) ??
      null;
    if (access.kind === 'Permission' && access.target.kind === 'Tenant' && tenant === null) {
      throw new Error(`${controller.name}.${name} evaluates a permission on its tenant but does not say where the tenant comes from.`);
    }
    const path = joinPath(pathOf(controller), pathOf(handler));
    const guidSegments = [...new Set([...guidParametersOf(handler), ...(tenant?.carrier === 'path' ? [tenant.field] : [])])];
    const intSegments = intParametersOf(handler);
    this.byHandler.set(handler, {
      method: RequestMethod[method],
      path,
      controller: controller.name,
      handler: name,
      access,
      tenant,
      proofDuty: (Reflect.getMetadata(RECENT_PROOF, handler) as ProofDuty | undefined) ?? null,
      isOpenBeforePasswordChange: Reflect.getMetadata(BEFORE_PASSWORD_CHANGE, handler) === true,
      cache: (Reflect.getMetadata(CACHE_RULE, handler) as CacheRule | undefined) ?? null,
      location: (Reflect.getMetadata(LOCATION, handler) as string | undefined) ?? null,
      taggedState: (Reflect.getMetadata(TAGGED_STATE, handler) as TaggedState<unknown> | undefined) ?? null,
      takesIfMatch: Reflect.hasMetadata(TAKES_IF_MATCH, handler),
      replacement: (Reflect.getMetadata(REPLACEMENT, handler) as string | undefined) ?? null,
      failures: (Reflect.getMetadata(FAILURE_FORMS, handler) as FailureForms | undefined) ?? null,
      pattern: patternOf(path, guidSegments, intSegments),
      guidSegments,
      intSegments,
    });
  }
}

function pathOf(target: object): string {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return (Array.isArray(path) ? path[0] : path) ?? '';
}

function joinPath(...parts: readonly string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}

const GUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const INT32 = String.raw`-?\d{1,10}`;

function patternOf(path: string, guids: readonly string[], ints: readonly string[]): RegExp {
  const segments = path.split('/').map((segment) => {
    if (segment.startsWith('*')) return '.+';
    if (!segment.startsWith(':')) return segment.replaceAll(/[^\w-]/g, String.raw`\$&`);
    const name = segment.slice(1);
    return guids.includes(name) ? GUID : ints.includes(name) ? INT32 : '[^/]+';
  });
  return new RegExp(`^${segments.join('/')}/?$`, 'i');
}
