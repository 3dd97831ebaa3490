import { isIP } from 'node:net';
import { connect } from 'node:tls';

import type { CertificateFacts } from '../checks/certificate.js';
import { NoAnswerError } from './ask.js';

const HTTPS_PORT = 443;

/**
 * Reads the certificate at an address.
 * @throws Error of the system when there is no connection, NoAnswerError at the time-out
 */
export function certificateFacts(url: URL, timeoutMs: number): Promise<CertificateFacts> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: url.port === '' ? HTTPS_PORT : Number(url.port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: false,
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
      socket.destroy();
    };
    const timer = setTimeout(() => end(() => reject(new NoAnswerError(`No TLS connection came within ${timeoutMs / 1000} s.`))), timeoutMs);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('secureConnect', () =>
      end(() => {
        const { valid_to: validTo } = socket.getPeerCertificate();
        // The declaration says Error; it is the code of one, or null.
        const problem: unknown = socket.authorizationError;
        resolve({
          host: url.host,
          validTo: new Date(validTo),
          problem: typeof problem === 'string' ? problem : null,
        });
      }),
    );
  });
}
