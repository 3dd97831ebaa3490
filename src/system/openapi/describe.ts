import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

import type { DeclaredRoute } from '../../access/authorization/guard/access-declarations.js';
import { loadSwagger } from '../../platform/http/described.js';
import { groupsOf } from './groups.js';
import type { Operation } from './implied-errors.js';
import { completeOperation, type Surroundings } from './operations.js';
import { PROBLEM_DETAILS_SCHEMA, PROBLEM_SCHEMA } from './responses.js';
import { pick, reachableFrom, simplified, withEveryMember, withExampleList, withOwnDescription } from './schemas.js';
import { SECURITY_SCHEMES, SURFACES, type SurfaceName } from './surfaces.js';

type Swagger = Awaited<ReturnType<typeof loadSwagger>>;
type PathItem = OpenAPIObject['paths'][string];
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Contact for readers of a description. The page names the server, its version and its source. */
const CONTACT = { name: 'The operator of this server', url: '/about' };

/**
 * Describes one surface of the service as an OpenAPI 3.1 document, from the decorators that also bind, validate and
 * authorize. Everything that follows from a route's access declaration or from the examples of fields is added here
 * only. `publicUrl` is the address of the service; empty when it is not configured.
 */
export async function describeSurface(
  app: INestApplication,
  routes: readonly DeclaredRoute[],
  name: SurfaceName,
  publicUrl: string,
): Promise<OpenAPIObject> {
  const surface = SURFACES[name];
  const swagger = await loadSwagger();
  const found = simplified(swagger.SwaggerModule.createDocument(app, headWithSchemes(swagger), { operationIdFactory }));
  const declared = new Map(routes.map((route) => [keyOf(route.method, route.path.replaceAll(/:(\w+)/g, '{$1}')), route]));
  const covered = Object.keys(found.paths).filter((path) => surface.covers(path));
  const schemas = schemasOf(pickPaths(found.paths, covered), found.components?.schemas ?? {});
  const paths: Record<string, PathItem> = {};
  for (const path of covered.sort()) {
    paths[path] = completePath(found.paths[path], (method) => declared.get(keyOf(method, path)), { surface, schemas });
  }
  const tags = new Set(operationsOf(paths).flatMap((operation) => operation.tags ?? []));
  return simplified({
    openapi: found.openapi,
    info: { title: surface.title, version: surface.version, description: surface.description, contact: CONTACT },
    servers: serversOf(publicUrl),
    tags: [...groupsOf(tags)],
    paths,
    components: { schemas, securitySchemes: found.components?.securitySchemes ?? {} },
  });
}

function headWithSchemes({ DocumentBuilder }: Swagger): Omit<OpenAPIObject, 'paths'> {
  const head = new DocumentBuilder().setOpenAPIVersion('3.1.0');
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) head.addSecurity(name, scheme);
  return head.build();
}

/** The servers of the document: the configured address, and the origin of the document itself. */
function serversOf(publicUrl: string): NonNullable<OpenAPIObject['servers']> {
  const here = { url: '/', description: 'The server that serves this document.' };
  return publicUrl === '' ? [here] : [{ url: publicUrl, description: 'The public address of this server.' }, here];
}

/** The id of an operation consists of its controller and handler, so it stays when paths or other operations change. */
function operationIdFactory(controller: string, handler: string): string {
  return `${controller.replace(/Controller$/, '')}_${handler}`;
}

function completePath(path: PathItem, routeOf: (method: string) => DeclaredRoute | undefined, surroundings: Surroundings): PathItem {
  const complete: PathItem = {};
  for (const method of METHODS) {
    const operation = path[method];
    const route = routeOf(method);
    if (operation === undefined) continue;
    if (route === undefined) throw new Error(`The operation ${operation.operationId} has no access declaration.`);
    complete[method] = completeOperation(operation, route, surroundings);
  }
  return complete;
}

function operationsOf(paths: Readonly<Record<string, PathItem>>): Operation[] {
  return Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []));
}

function pickPaths(paths: Readonly<Record<string, PathItem>>, names: readonly string[]): Record<string, PathItem> {
  return Object.fromEntries(names.map((name) => [name, paths[name]]));
}

/** The schemas that the operations use. A schema that only answers use requires every member, because answers omit none. */
function schemasOf(paths: Readonly<Record<string, PathItem>>, found: Schemas): Schemas {
  const inputs = operationsOf(paths).map(({ requestBody, parameters }) => ({ requestBody, parameters }));
  const sent = reachableFrom(inputs, found);
  const schemas: Schemas = {};
  for (const [name, schema] of Object.entries(pick(found, reachableFrom(paths, found)))) {
    schemas[name] = withExampleList(withOwnDescription(sent.has(name) ? schema : withEveryMember(schema)));
  }
  return pick({ ...schemas, [PROBLEM_SCHEMA]: PROBLEM_DETAILS_SCHEMA }, new Set([...Object.keys(schemas), PROBLEM_SCHEMA]));
}

function keyOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`;
}
