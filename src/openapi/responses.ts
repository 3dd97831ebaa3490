import type { OpenAPIObject } from '@nestjs/swagger';

import { PROBLEM_MEDIA_TYPE, problemDetails } from '../http/problem-details.js';
import type { ImpliedError } from './implied-errors.js';

type Responses = NonNullable<OpenAPIObject['paths'][string]['get']>['responses'];

/** The name of the schema of every error body. */
export const PROBLEM_SCHEMA = 'ProblemDetails';

/** The schema of every error body. */
export const PROBLEM_DETAILS_SCHEMA = {
  type: 'object',
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string', enum: ['about:blank'], description: 'Always the same: the status says what kind of error it is.' },
    title: { type: 'string', description: 'The status in words, the same for each error of that status.', examples: ['Conflict.'] },
    status: { type: 'integer', format: 'int32', description: 'The HTTP status.', examples: [409] },
    detail: {
      type: 'string',
      description: 'What went wrong, for people. The wording may change; programs decide by the status.',
      examples: ['A tag with this name already exists.'],
    },
    traceId: {
      type: 'string',
      description: 'With status 500 and 503: the id of the request, to be quoted in a report.',
      examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
    },
    errors: {
      type: 'object',
      description: 'With status 400: what is wrong with each field, by its name. Members of lists and objects are written `items[0].name`.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      examples: [{ name: ['name must have at least one visible character.'] }],
    },
  },
};

/** Completes the responses of a handler with the implied ones, each with its meaning. Errors also get a body and an example. */
export function completeResponses(declared: Responses, implied: ReadonlyMap<number, ImpliedError>): Responses {
  const statuses = new Set([...Object.keys(declared), ...[...implied.keys()].map(String)]);
  const complete: Responses = {};
  for (const status of [...statuses].sort()) {
    complete[status] = Number(status) < 400 ? declared[status] : problemResponse(Number(status), meaningOf(declared[status]), implied);
  }
  return complete;
}

function problemResponse(status: number, ownMeaning: string, implied: ReadonlyMap<number, ImpliedError>): Responses[string] {
  const general = implied.get(status);
  // The specific meaning comes before the implied one.
  const description = [ownMeaning, general?.meaning ?? ''].filter((meaning) => meaning !== '').join(' ');
  return {
    description,
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: { $ref: `#/components/schemas/${PROBLEM_SCHEMA}` },
        example: general?.example ?? problemDetails(status, { detail: firstSentence(description) }),
      },
    },
  };
}

function meaningOf(response: Responses[string]): string {
  return response !== undefined && 'description' in response ? (response.description ?? '') : '';
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}
