import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import type { CertificateFacts } from '../../../system/doctor/checks/certificate.js';

const DEFAULT_PORT = 4_222;
const TIMEOUT_MS = 5_000;

/**
 * Reads the certificate of a server of NATS, which says a line in plain text before TLS begins; null for an address without TLS.
 * @throws Error of the system when there is no connection, or at the time-out
 */
export async function natsCertificate(address: string, ca: string | null): Promise<CertificateFacts | null> {
  const { protocol, hostname, host, port } = new URL(address);
  if (protocol !== 'tls:') return null;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const name = hostname.replaceAll(/^\[|\]$/g, '');
  const plain = connect({ host: name, port: port === '' ? DEFAULT_PORT : Number(port) });
  try {
    await once(plain, 'data', { signal });
    const secured = secure(plain, name, ca);
    await once(secured, 'secureConnect', { signal });
    // The declaration says Error; it is the code of one, or null.
    const problem: unknown = secured.authorizationError;
    return { host, validTo: new Date(secured.getPeerCertificate().valid_to), problem: typeof problem === 'string' ? problem : null };
  } finally {
    plain.on('error', () => undefined).destroy();
  }
}

function secure(socket: Socket, name: string, ca: string | null): TLSSocket {
  const trusted = ca === null ? {} : { ca };
  return connectTls({ socket, ...(isIP(name) === 0 ? { servername: name } : {}), ...trusted, rejectUnauthorized: false });
}
