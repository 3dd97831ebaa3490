import { codeOf } from '../common/errors/system-error.js';

/** A port cannot be listened on. The message names the options. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** The environment variables that set a port and its address. */
export interface AddressOptions {
  readonly port: string;
  readonly bindAddress: string;
}

/**
 * The error to throw when listening at a place has failed: an {@link AddressError} that names the options. Other errors stay as they are:
 * other parts of the application also start at that time.
 */
export function listenError(error: unknown, place: string, options: AddressOptions): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || error.syscall !== 'listen') return error;
  return new AddressError(explain(error, place, options), { cause: error });
}

function explain(error: Error, place: string, { port, bindAddress }: AddressOptions): string {
  switch (codeOf(error) ?? '') {
    case 'EADDRINUSE':
      return `${port}: another program listens on ${place} already. Stop that one, or choose another port.`;
    case 'EACCES':
      return `${port}: this account may not listen on ${place}. Choose a port from 1024 on; a proxy can take the lower ones.`;
    case 'EADDRNOTAVAIL':
      return `${bindAddress}: this machine has no such address to listen on as ${place}. Choose one of its own, or none for all.`;
    default:
      return `${port}, ${bindAddress}: the service cannot listen on ${place}: ${error.message}`;
  }
}
