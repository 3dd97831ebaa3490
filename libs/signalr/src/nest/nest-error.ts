import type { HttpException } from '@nestjs/common';
import { WsException } from '@nestjs/websockets';
import { HubError } from '../runtime/errors.js';

/** Errors with which pipes have refused a value. */
const refusals = new WeakMap<object, string>();

/** Lets the caller read the reason why a pipe refuses a value. */
export function markAsRefusal(error: HttpException): void {
  refusals.set(error, textOf(error));
}

/** Replaces the errors of Nest that are meant for the caller: a `WsException`, and an error with which a pipe has refused a value. */
export function nestError(error: unknown): HubError | undefined {
  if (error instanceof WsException) return new HubError(error.message, { cause: error });
  const refusal = typeof error === 'object' && error !== null ? refusals.get(error) : undefined;
  return refusal === undefined ? undefined : new HubError(refusal, { cause: error });
}

/** The text of an error. That of a validation lists all that is wrong. */
function textOf(error: HttpException): string {
  const response = error.getResponse();
  const message: unknown = typeof response === 'object' && 'message' in response ? response.message : undefined;
  return Array.isArray(message) ? message.join(', ') : error.message;
}
