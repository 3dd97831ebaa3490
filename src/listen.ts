import type { AddressInfo } from 'node:net';

import type { NestExpressApplication } from '@nestjs/platform-express';

import { codeOf } from './platform/common/errors/system-error.js';
import type { Settings } from './platform/config/settings.js';
import { hostInUrl, UNSPECIFIED_ADDRESSES } from './platform/config/url-text.js';

/** Address on which the service listens unless the operator names one. */
const ALL_ADDRESSES = '0.0.0.0';

/** The service cannot listen at the configured address. The message names the options. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/**
 * Starts to listen and returns the URL to open on this machine.
 * @throws AddressError when the address or port cannot be used
 */
export async function listen(app: NestExpressApplication, { port, bindAddress }: Settings): Promise<string> {
  const address = bindAddress === '' ? ALL_ADDRESSES : bindAddress;
  const host = hostInUrl(address);
  try {
    await app.listen(port, address);
  } catch (error) {
    // Other parts of the application also start here, so not every error is about the address.
    throw isAddressFailure(error) ? new AddressError(explain(error, `${host}:${port}`), { cause: error }) : error;
  }
  const bound = app.getHttpServer().address() as AddressInfo;
  return `http://${UNSPECIFIED_ADDRESSES.includes(address) ? 'localhost' : host}:${bound.port}`;
}

function isAddressFailure(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

function explain(error: Error, place: string): string {
  switch (codeOf(error) ?? '') {
    case 'EADDRINUSE':
      return `Service_Port: another program listens on ${place} already. Stop that one, or choose another port.`;
    case 'EACCES':
      return `Service_Port: this account may not listen on ${place}. Choose a port from 1024 on; a proxy can take the lower ones.`;
    case 'EADDRNOTAVAIL':
      return `Service_BindAddress: this machine has no such address to listen on as ${place}. Choose one of its own, or none for all.`;
    default:
      return `Service_Port, Service_BindAddress: the service cannot listen on ${place}: ${error.message}`;
  }
}
