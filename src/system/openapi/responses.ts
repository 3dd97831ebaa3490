import type { OpenAPIObject } from '@nestjs/swagger';

import { RefusedByDevice } from '../../platform/common/errors/errors.js';
import { failureAnswer, type AnsweredFailure, type FailureForms } from '../../platform/http/problems/failure-forms.js';
import { PROBLEM_MEDIA_TYPE, problemDetails, type ProblemDetails } from '../../platform/http/problems/problem-details.js';
import type { ImpliedError } from './implied-errors.js';

type Responses = NonNullable<OpenAPIObject['paths'][string]['get']>['responses'];

/** The name of the schema of every error body. */
export const PROBLEM_SCHEMA = 'ProblemDetails';

/** The status of failures on a device. */
const DEVICE_FAULT = 502;

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
      description: 'Description of the error for people. The wording may change; programs decide by the status.',
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

/** An error status for one reason, in the form in which it is answered. */
interface ErrorReason {
  readonly answer: AnsweredFailure;
  readonly meaning: string;
  /** If absent, the example contains the first sentence of the status. */
  readonly example?: ProblemDetails;
}

/**
 * Completes the responses of a handler with the implied ones, each with its meaning. Errors also get a body and an example; `forms` are
 * those that are answered in another form.
 */
export function completeResponses(
  declared: Responses,
  implied: ReadonlyMap<number, ImpliedError>,
  forms: FailureForms = {},
): Responses {
  const isError = (status: string): boolean => Number(status) >= 400;
  const reasons = [
    // The specific meaning comes before the implied one.
    ...Object.keys(declared)
      .filter(isError)
      .flatMap((status) => declaredReasons(Number(status), meaningOf(declared[status]), forms)),
    ...[...implied].map(([status, error]) => impliedReason(status, error, forms)),
    ...(forms[400] === undefined ? [] : [{ answer: failureAnswer(null, { status: 400 }, forms), meaning: 'Other errors are described in plain text.' }]),
  ];
  const statuses = new Set([...Object.keys(declared).filter((status) => !isError(status)), ...reasons.map(({ answer }) => String(answer.status))]);
  const complete: Responses = {};
  for (const status of [...statuses].sort()) {
    const why = reasons.filter(({ answer }) => String(answer.status) === status);
    complete[status] = why.length === 0 ? declared[status] : errorResponse(Number(status), why);
  }
  return complete;
}

/** A status that a route declares. A device's own refusals stand with the other faults of devices, unless their form differs. */
function declaredReasons(status: number, meaning: string, forms: FailureForms): readonly ErrorReason[] {
  const answer = failureAnswer(null, { status }, forms);
  if (status !== DEVICE_FAULT || forms.refusedByDevice === undefined) return [{ answer, meaning }];
  const refused = failureAnswer(new RefusedByDevice(''), { status }, forms);
  return [
    { answer, meaning: 'The connection of the device ended, or its answer cannot be used.' },
    { answer: refused, meaning: 'The device refused.' },
  ];
}

function impliedReason(status: number, { meaning, example }: ImpliedError, forms: FailureForms): ErrorReason {
  // Missing and wrong members of a request are named under `errors`, in Problem Details everywhere.
  const answer = failureAnswer(null, { status, ...(status === 400 ? { errors: {} } : {}) }, forms);
  return { answer, meaning, ...(example === undefined ? {} : { example }) };
}

function errorResponse(status: number, reasons: readonly ErrorReason[]): Responses[string] {
  const problems = reasons.filter(({ answer }) => answer.body === 'problem');
  const example = problems.find((reason) => reason.example !== undefined)?.example;
  const text = reasons.find(({ answer }) => answer.body === 'text');
  const content = {
    ...(problems.length === 0 ? {} : { [PROBLEM_MEDIA_TYPE]: problemBody(example ?? problemDetails(status, { detail: firstSentence(wordsOf(problems)) })) }),
    ...(text === undefined ? {} : { 'text/plain': { schema: { type: 'string' as const }, example: firstSentence(text.meaning) } }),
  };
  return { description: wordsOf(reasons), ...(Object.keys(content).length === 0 ? {} : { content }) };
}

function problemBody(example: ProblemDetails): { readonly schema: { $ref: string }; readonly example: ProblemDetails } {
  return { schema: { $ref: `#/components/schemas/${PROBLEM_SCHEMA}` }, example };
}

function wordsOf(reasons: readonly ErrorReason[]): string {
  return reasons.flatMap(({ meaning }) => (meaning === '' ? [] : [meaning])).join(' ');
}

function meaningOf(response: Responses[string]): string {
  return response !== undefined && 'description' in response ? (response.description ?? '') : '';
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}
