import type { CallMessage } from '../../protocol/messages.js';
import { HubError, messageOf } from '../errors.js';

/** The name that ASP.NET Core gives to an error whose text is meant for the caller. */
const PUBLIC_ERROR = 'HubException';

/** A call that cannot be carried out as it was made. The caller gets the whole text. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
}

/** A stream to the client that broke after it had begun; `cause` is what its source threw. */
export class BrokenStream extends Error {}

/** Refuses a call with the words of ASP.NET Core, and the reason. */
export function refusal({ target }: CallMessage, reason: string, cause?: unknown): RefusedCall {
  return new RefusedCall(`Failed to invoke '${target}' due to an error on the server. ${PUBLIC_ERROR}: ${reason}`, { cause });
}

/**
 * The text for the caller of `target` about an error, in the words of ASP.NET Core, which programs look for. The text of an unexpected
 * error is part of it only with `detailed`.
 */
export function errorText(target: string, error: unknown, detailed: boolean): string {
  if (error instanceof RefusedCall) return error.message;
  if (error instanceof BrokenStream) return explain('An error occurred on the server while streaming results.', error.cause, detailed);
  return explain(`An unexpected error occurred invoking '${target}' on the server.`, error, detailed);
}

/** The text for a client whose `onConnected` has failed, in the same words. */
export function connectionErrorText(error: unknown, detailed: boolean): string {
  return explain('Connection closed with an error.', error, detailed);
}

function explain(text: string, error: unknown, detailed: boolean): string {
  if (error instanceof HubError) return `${text} ${PUBLIC_ERROR}: ${error.message}`;
  return detailed ? `${text} ${error instanceof Error ? error.name : 'Error'}: ${messageOf(error)}` : text;
}
