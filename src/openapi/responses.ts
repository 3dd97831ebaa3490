import type { OpenAPIObject } from '@nestjs/swagger';

import type { DeclaredRoute } from '../authorization/access-declarations.js';
import { PROBLEM_MEDIA_TYPE, titleOf } from '../http/problem-details.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = Operation['responses'];

/** Name of the schema of every error body. */
export const PROBLEM_SCHEMA = 'ProblemDetails';

/** The schema of every error body (specification, part Errors). */
export const PROBLEM_DETAILS_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string', enum: ['about:blank'] },
    title: { type: 'string', description: 'Keyed by the status; read the status instead.' },
    status: { type: 'integer', format: 'int32' },
    detail: { type: 'string' },
    traceId: { type: 'string', description: 'With status 500: what to quote in a report.' },
    errors: {
      type: 'object',
      description: 'With status 400: what is wrong, by the name of the field.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

const SUCCESS: Readonly<Record<string, string>> = { 200: 'Done.', 201: 'Created.', 204: 'Done; there is no content.' };

/**
 * The error statuses that follow from what a route declares: 400 where it takes a tenant, a query or a body, 401 unless it is
 * anonymous, 403 where a permission or a tenant decides, 500 always. A device scope narrows the answer and refuses nobody.
 */
export function impliedStatuses({ access, tenant }: DeclaredRoute, operation: Operation): readonly number[] {
  const takesInput =
    tenant !== null ||
    operation.requestBody !== undefined ||
    (operation.parameters ?? []).some((parameter) => 'in' in parameter && parameter.in === 'query');
  const isNarrowed = access.kind === 'Permission' && access.target.kind !== 'DeviceScope';
  return [
    ...(takesInput ? [400] : []),
    ...(access.kind === 'Anonymous' ? [] : [401]),
    ...(isNarrowed || (tenant !== null && access.kind !== 'Anonymous') ? [403] : []),
    500,
  ];
}

/** The responses that a handler declares and those that are implied, each with its body and a sentence. */
export function completeResponses(declared: Responses, implied: readonly number[]): Responses {
  const statuses = new Set([...Object.keys(declared), ...implied.map(String)]);
  const complete: Responses = {};
  for (const status of [...statuses].sort()) complete[status] = isError(status) ? problemResponse(status) : successResponse(declared, status);
  return complete;
}

function isError(status: string): boolean {
  return Number(status) >= 400;
}

function problemResponse(status: string): Responses[string] {
  return {
    description: titleOf(Number(status)),
    content: { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: `#/components/schemas/${PROBLEM_SCHEMA}` } } },
  };
}

function successResponse(declared: Responses, status: string): Responses[string] {
  return { ...declared[status], description: SUCCESS[status] ?? '' };
}
