import type { AddressInfo } from 'node:net';

import type { NestExpressApplication } from '@nestjs/platform-express';

import type { Settings } from './platform/config/settings.js';
import { hostInUrl, UNSPECIFIED_ADDRESSES } from './platform/config/url-text.js';
import { listenError } from './platform/http/address-error.js';

/** Address on which the service listens unless the operator names one. */
const ALL_ADDRESSES = '0.0.0.0';

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
    throw listenError(error, `${host}:${port}`, { port: 'Service_Port', bindAddress: 'Service_BindAddress' });
  }
  const bound = app.getHttpServer().address() as AddressInfo;
  return `http://${UNSPECIFIED_ADDRESSES.includes(address) ? 'localhost' : host}:${bound.port}`;
}
