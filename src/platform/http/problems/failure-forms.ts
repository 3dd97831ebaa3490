import { SetMetadata } from '@nestjs/common';

import { RefusedByDevice } from '../../common/errors/errors.js';
import type { ProblemDetails } from './problem-details.js';

/** Form of a failure's answer in place of Problem Details of its own status. */
export interface FailureForm {
  /** Another status. */
  readonly status?: number;
  /** A plain text with the reason. */
  readonly body?: 'text';
}

/** Failures of a route that have another form: by their status, or those with which a device itself refuses. */
export type FailureForms = Readonly<Partial<Record<number | 'refusedByDevice', FailureForm>>>;

/** A failure as it is answered. */
export interface AnsweredFailure {
  readonly status: number;
  readonly body: 'problem' | 'text';
}

/** Metadata key of a route's {@link FailureForms}. */
export const FAILURE_FORMS = Symbol('failure forms');

/** A plain text in place of Problem Details. */
export const AS_TEXT: FailureForm = { body: 'text' };

/** Declares which failures of a route have another form. Only deprecated routes have such; all others answer Problem Details. */
export function FailsAs(forms: FailureForms): MethodDecorator {
  return SetMetadata(FAILURE_FORMS, forms);
}

/** Returns the form of a failure's answer. A failure that names wrong fields stays Problem Details, because nothing else can name them. */
export function failureAnswer(
  error: unknown,
  { status, errors }: Pick<ProblemDetails, 'status' | 'errors'>,
  forms: FailureForms = {},
): AnsweredFailure {
  const form = errors === undefined ? ((error instanceof RefusedByDevice ? forms.refusedByDevice : undefined) ?? forms[status]) : undefined;
  return { status: form?.status ?? status, body: form?.body ?? 'problem' };
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the access guard on routes whose failures have another form. */
    failureForms?: FailureForms;
  }
}
