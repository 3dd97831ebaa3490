import type { OpenAPIObject } from '@nestjs/swagger';

import type { DeclaredRoute } from '../../access/authorization/guard/access-declarations.js';
import { preconditionFailed } from '../../platform/common/errors/errors.js';
import { IF_MATCH, MALFORMED_IF_MATCH } from '../../platform/http/bodies/entity-tags.js';
import { problemDetails, refusalOf, type ProblemDetails } from '../../platform/http/problems/problem-details.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** An error that follows from the declarations or the input of a route. */
export interface ImpliedError {
  /** Condition under which the error occurs. */
  readonly meaning: string;
  /** If absent, the example contains the first sentence of the status. */
  readonly example?: ProblemDetails;
}

/** Error that every route with a credential can answer. */
const NOTHING_ASSIGNED: ImpliedError = {
  meaning: 'The caller is a service account in `Restricted` mode to which no permission is assigned.',
  example: problemDetails(403, { detail: 'The account is restricted and has no permission assignments.' }),
};
const NOT_YOURS = 'The tenant that the request names is not yours.';

/**
 * The errors that follow from a route's declarations: 400 if it takes a tenant, a query or a body; 401 unless it is
 * anonymous; 403 for the same; 404 if it works inside a tenant; 412 if it takes `If-Match`; 500 always. The body of the operation must
 * already have its example.
 */
export function impliedErrors(route: DeclaredRoute, operation: Operation): ReadonlyMap<number, ImpliedError> {
  const implied = new Map<number, ImpliedError>();
  const invalid = invalidRequest(route, operation);
  if (invalid !== null) implied.set(400, invalid);
  if (route.access.kind !== 'Anonymous') {
    implied.set(401, {
      meaning: 'The request has no credential, or one that is not valid.',
      example: problemDetails(401, { detail: 'The credential in x-api-key is not valid.' }),
    });
  }
  const forbidden = forbiddenCall(route);
  if (forbidden !== null) implied.set(403, forbidden);
  if (route.tenant?.isObject === false && route.tenant.carrier !== 'claim') implied.set(404, { meaning: 'The tenant was not found.' });
  if (route.takesIfMatch) {
    const { problem } = refusalOf(preconditionFailed());
    implied.set(412, { meaning: `The thing has another tag than those in \`${IF_MATCH}\`. Nothing was changed.`, example: problem });
  }
  implied.set(500, {
    meaning: 'The service failed unexpectedly. Quote the `traceId` when you report it.',
    example: problemDetails(500, {
      detail: 'An unexpected error occurred. Quote the trace id when you report it.',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    }),
  });
  return implied;
}

function invalidRequest({ tenant, takesIfMatch }: DeclaredRoute, operation: Operation): ImpliedError | null {
  const queried = (operation.parameters ?? []).flatMap((parameter) => ('in' in parameter && parameter.in === 'query' ? [parameter.name] : []));
  const named = tenant === null || tenant.carrier === 'claim' ? [] : [tenant.field];
  const otherQueried = queried.filter((name) => !named.includes(name));
  const bodyFields = operation.requestBody === undefined ? [] : exampleFields(operation.requestBody);
  const reasons = [
    ...named.map((field) => `\`${field}\` is ${tenant?.carrier !== 'claim' && tenant?.isOptional ? '' : 'missing or '}not valid`),
    ...(otherQueried.length === 0 ? [] : ['a query value is not valid']),
    ...(operation.requestBody === undefined ? [] : ['the body is not valid']),
    ...(takesIfMatch ? [`\`${IF_MATCH}\` is not valid`] : []),
  ];
  if (reasons.length === 0) return null;
  const [field = takesIfMatch ? IF_MATCH : 'name'] = [...bodyFields, ...otherQueried, ...named];
  const errors = { [field]: [field === IF_MATCH ? MALFORMED_IF_MATCH : `${field} is required.`] };
  return {
    meaning: `${sentence(reasons.join(', or '))} \`errors\` names the fields.`,
    example: problemDetails(400, { detail: 'One or more fields are invalid.', errors }),
  };
}

/** The members in the example of a body. */
function exampleFields(body: NonNullable<Operation['requestBody']>): readonly string[] {
  if (!('content' in body)) return [];
  return Object.values(body.content).flatMap(({ example }: { readonly example?: unknown }) =>
    typeof example === 'object' && example !== null ? Object.keys(example) : [],
  );
}

function forbiddenCall({ access, tenant }: DeclaredRoute): ImpliedError | null {
  if (access.kind === 'Anonymous') return null;
  if (access.kind === 'SignedIn') return { meaning: 'The caller is not a user who signed in.' };
  const permission = access.kind === 'Permission' && access.target.kind !== 'DeviceScope' ? access.permission.name : null;
  if (permission === null && tenant === null) return NOTHING_ASSIGNED;
  const reasons = [
    ...(permission === null ? [] : [`the caller does not hold \`${permission}\``]),
    ...(tenant === null || tenant.isObject ? [] : [tenant.carrier === 'claim' ? 'the caller has no tenant' : "the tenant is not the caller's own"]),
  ];
  return {
    meaning: sentence(reasons.length === 0 ? 'the caller is not allowed to do this' : reasons.join(', or ')),
    example: problemDetails(403, {
      detail: permission === null ? NOT_YOURS : `The permission ${permission} is required.`,
    }),
  };
}

function sentence(text: string): string {
  return `${text.replace(/^[a-z]/, (first) => first.toUpperCase())}.`;
}
