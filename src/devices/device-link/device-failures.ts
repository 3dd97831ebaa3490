import { WireTypeError } from '#libs/contracts';
import { ClientResultError, ClientResultTimeoutError, ConnectionGoneError, DisconnectedError } from '#libs/signalr';

import { conflict, DomainError, ErrorCode, RefusedByDevice } from '../../platform/common/errors/errors.js';

/** Translates a failed call to a device into an error that callers can act on. Other errors come back as they are. */
export function deviceFailure(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (error instanceof ConnectionGoneError) return deviceOffline();
  if (error instanceof DisconnectedError) return deviceGone();
  if (error instanceof ClientResultTimeoutError) return deviceSilent();
  if (error instanceof ClientResultError || error instanceof WireTypeError) return deviceUnusable();
  return error;
}

/** Translates the early end of a device's stream into an error that callers can act on. */
export function streamFailure(error: unknown): unknown {
  const failure = deviceFailure(error);
  if (failure !== error || !(error instanceof Error) || error instanceof DomainError) return failure;
  // An item that does not fit has a cause. Without one, the device ended the stream in its own words.
  return error.cause === undefined ? deviceRefused(wordsOf(error)) : deviceUnusable();
}

/** .NET clients end a stream with a printed exception: its type, its message, and the stack on further lines. */
const PRINTED_EXCEPTION = /^Stream errored by client: '(?:[\w.]+: )?(.*?)'?\r?$/m;

function wordsOf({ message }: Error): string {
  return PRINTED_EXCEPTION.exec(message)?.[1] ?? message;
}

/** 409: the device is not connected. */
export const deviceOffline = (): DomainError => conflict('The device is offline.');

/** 502: the device disconnected before it was done. */
export const deviceGone = (): DomainError => new DomainError(ErrorCode.BadGateway, 'The device disconnected before it finished.');

/** 504: the device is connected but did not answer in time. */
export const deviceSilent = (): DomainError => new DomainError(ErrorCode.GatewayTimeout, 'The device did not answer in time.');

/** 502: the device answered nothing, or nothing that can be used. */
export const deviceUnusable = (): DomainError => new DomainError(ErrorCode.BadGateway, 'The device sent an invalid response.');

const MISSING_PATH = /not found|not exist|no such file|could not find|cannot find/i;
const BAD_PATH = new RegExp(
  [
    'invalid|not valid|illegal|required|empty|reserved|too long|already exists|too many symbolic links',
    'must (not )?(be|contain)|cannot be deleted|nothing was chosen',
    '(not a|no|neither a|is a) (log )?(file|directory|folder)',
  ].join('|'),
  'i',
);

/** A refusal by the device, in its own words: 404 for a missing path, 400 for a bad one, otherwise 502. */
export function deviceRefused(reason: string): DomainError {
  if (MISSING_PATH.test(reason)) return new DomainError(ErrorCode.NotFound, reason);
  if (BAD_PATH.test(reason)) return new DomainError(ErrorCode.Invalid, reason);
  return new RefusedByDevice(reason);
}
