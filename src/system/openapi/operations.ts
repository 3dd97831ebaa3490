import type { OpenAPIObject } from '@nestjs/swagger';

import type { DeclaredRoute } from '../../access/authorization/guard/access-declarations.js';
import { exampleOf } from './examples.js';
import { IF_MATCH_PARAMETER, withHeaders } from './headers.js';
import { impliedErrors, type Operation } from './implied-errors.js';
import { completeResponses } from './responses.js';
import { routeWords } from './route-words.js';
import { withExampleList, withoutNull } from './schemas.js';
import type { Surface } from './surfaces.js';

type Parameter = NonNullable<Operation['parameters']>[number];
type Content = Readonly<Record<string, { readonly schema?: Schemas[string] }>>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Names the route to use instead of a deprecated one. */
const REPLACEMENT_EXTENSION = 'x-replacement-route';

/** Surface and schemas that complete an operation. */
export interface Surroundings {
  readonly surface: Surface;
  readonly schemas: Schemas;
}

/**
 * Completes an operation with the consequences of its route: permission and tenant in words, implied errors, examples of its bodies, and
 * the route that replaces it.
 */
export function completeOperation(operation: Operation, route: DeclaredRoute, { surface: { schemes }, schemas }: Surroundings): Operation {
  const { security, parameters, requestBody, responses, ...rest } = operation;
  const named = (security ?? []).filter((requirement) => Object.keys(requirement).every((scheme) => schemes.includes(scheme)));
  const taken = route.takesIfMatch ? [...(parameters ?? []), IF_MATCH_PARAMETER] : parameters;
  const input = {
    ...(taken === undefined
      ? {}
      : { parameters: ownParameters(taken, route).map((parameter) => withParameterExample(withoutNull(parameter))) }),
    ...(requestBody === undefined ? {} : { requestBody: withExample(requestBody, schemas) }),
  };
  return {
    ...rest,
    description: [...(operation.description ? [operation.description] : []), ...routeWords(route)].join('\n\n'),
    ...input,
    responses: withHeaders(
      completeResponses(mapResponses(responses, schemas), impliedErrors(route, { ...operation, ...input }), route.failures ?? {}),
      route,
    ),
    ...(route.replacement === null ? {} : { deprecated: true, [REPLACEMENT_EXTENSION]: route.replacement }),
    // An empty list means that no authentication is needed.
    security: named,
  };
}

/** Without the tenant that a route of version 1 is asked for, where its twin takes that of the caller. */
function ownParameters(parameters: readonly Parameter[], { tenant }: DeclaredRoute): readonly Parameter[] {
  return tenant?.carrier === 'claim' ? parameters.filter((parameter) => '$ref' in parameter || parameter.name !== 'tenantId') : parameters;
}

function withParameterExample(parameter: Parameter): Parameter {
  return '$ref' in parameter || parameter.schema === undefined ? parameter : { ...parameter, schema: withExampleList(parameter.schema) };
}

function mapResponses(responses: Operation['responses'], schemas: Schemas): Operation['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, response === undefined ? response : withExample(response, schemas)]),
  );
}

/** Adds an example to each media type of a body that can have one. */
function withExample<T extends object>(body: T, schemas: Schemas): T {
  if (!('content' in body)) return body;
  const content = Object.entries(body.content as Content).map(([mediaType, { schema = {}, ...media }]) => {
    const listed = withExampleList(schema);
    // A form contains a file, which has no example as text.
    const example = mediaType === 'multipart/form-data' ? undefined : exampleOf(listed, schemas);
    return [mediaType, { ...media, schema: listed, ...(example === undefined ? {} : { example }) }] as const;
  });
  return { ...body, content: Object.fromEntries(content) };
}
