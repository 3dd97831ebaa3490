import { BlockList, isIP } from 'node:net';

import type SmtpTransport from 'nodemailer/lib/smtp-transport';

import { hasMailServer } from '../../platform/config/mail-server.js';
import type { Settings } from '../../platform/config/settings.js';

type AppOptions = Settings['appOptions'];

const CONNECTION_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const DNS_TIMEOUT_MS = 10_000;
/** Longest silence of the mail server. */
const SOCKET_TIMEOUT_MS = 20_000;
/** The port on which mail servers expect encryption from the first byte. */
const IMPLICIT_TLS_PORT = 465;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * The connection options for the mail server; null unless host, sender address and sender name are all configured. The
 * connection is encrypted when the server supports it. A password is sent over an encrypted connection only, except to this
 * machine. Certificates are always verified.
 */
export function smtpOptionsOf(options: AppOptions): SmtpTransport.Options | null {
  if (!hasMailServer(options)) return null;
  const { smtpHost, smtpPort, smtpUserName, smtpPassword, smtpLocalDomain } = options;
  const signsIn = smtpUserName !== '' && smtpPassword !== '';
  return {
    host: smtpHost,
    port: smtpPort,
    secure: smtpPort === IMPLICIT_TLS_PORT,
    requireTLS: signsIn && !isThisMachine(smtpHost),
    ...(signsIn ? { auth: { user: smtpUserName, pass: smtpPassword } } : {}),
    ...(smtpLocalDomain === '' ? {} : { name: smtpLocalDomain }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    dnsTimeout: DNS_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function isThisMachine(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
