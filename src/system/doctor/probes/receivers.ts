import { access, constants } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

import type { EntityManager } from 'typeorm';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { codeOf, hasCode } from '../../../platform/common/errors/system-error.js';
import { httpTls, syslogTls } from '../../../platform/config/forwarding-settings.js';
import { STANDARD_OUTPUT } from '../../../platform/config/options.js';
import { endOf, tlsAccess, type PemFile, type TlsParts } from '../../../platform/config/values/pem-files.js';
import type { Settings } from '../../../platform/config/settings.js';
import { refusalTime } from '../../forwarding/destinations/refusal-time.js';
import { readStanding, type Standing } from '../../forwarding/forwarding-standing.js';
import type { ReceiverFacts } from '../checks/forwarding.js';

const TIMEOUT_MS = 5_000;
/** Time that a busy receiver has to refuse a certificate, in milliseconds. Attempts to send wait less: they would notice it later. */
const LEAST_REFUSAL_MS = 1_000;
const CLOSED = 'The receiver closed the connection. It may want another certificate.';
/** Protocols on which the receiver is asked for a certificate, and ports where the address may name none. */
const SECURE = ['https:', 'tls:'];
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Tries to reach the receivers of logs that are configured. Sends nothing to them. */
export async function receiverFacts({ forwarding }: Pick<Settings, 'forwarding'>): Promise<readonly ReceiverFacts[]> {
  const { file, syslogUrl, httpUrl } = forwarding;
  const facts: Promise<ReceiverFacts>[] = [];
  if (file === STANDARD_OUTPUT) facts.push(Promise.resolve({ name: 'the standard output', problem: null, certificateEnd: null }));
  else if (file !== '') facts.push(fileFacts(file));
  if (syslogUrl !== '') facts.push(addressFacts(new URL(syslogUrl), syslogTls(forwarding)));
  if (httpUrl !== '') facts.push(addressFacts(new URL(httpUrl), httpTls(forwarding)));
  return Promise.all(facts);
}

/** The standing of every destination; none on a database from before there were destinations. */
export async function forwardingStanding(manager: EntityManager): Promise<readonly Standing[]> {
  const [{ exists }] = await manager.query<[{ exists: boolean }]>(`SELECT to_regclass('forwarding_cursors') IS NOT NULL AS exists`);
  return exists ? readStanding(manager) : [];
}

async function fileFacts(path: string): Promise<ReceiverFacts> {
  const name = `the file ${path}`;
  try {
    await access(path, constants.W_OK).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      return access(dirname(path), constants.W_OK);
    });
    return { name, problem: null, certificateEnd: null };
  } catch (error) {
    return { name, problem: reasonOf(error), certificateEnd: null };
  }
}

/** Datagrams have no connection: nothing tells if they arrive. */
async function addressFacts({ protocol, host, hostname, port }: URL, tls: TlsParts<PemFile>): Promise<ReceiverFacts> {
  const isSecure = SECURE.includes(protocol);
  const facts = { name: host, certificateEnd: isSecure ? endOf(tls.certificate) : null };
  if (protocol === 'udp:') return { ...facts, problem: null };
  const target = { host: hostname.replaceAll(/^\[|\]$/g, ''), port: port === '' ? PORTS[protocol] : Number(port) };
  const named = isIP(target.host) === 0 ? { servername: target.host } : {};
  const begin = performance.now();
  const socket = isSecure ? connectTls({ ...target, ...named, ...tlsAccess(tls) }) : connect(target);
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (isSecure) await untilNotRefused(socket, performance.now() - begin);
    return { ...facts, problem: null };
  } catch (error) {
    return { ...facts, problem: reasonOf(error) };
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

/**
 * With TLS 1.3 a receiver looks at the certificate of its client when the client is connected already.
 * @throws Error of the system, or one that says so, when it ends the connection
 */
async function untilNotRefused(socket: Socket, connectedAfterMs: number): Promise<void> {
  const waited = new AbortController();
  socket.resume();
  try {
    const closed = once(socket, 'close', { signal: waited.signal });
    closed.catch(() => undefined);
    const refusedWithin = Math.max(LEAST_REFUSAL_MS, refusalTime(connectedAfterMs));
    if ((await Promise.race([delay(refusedWithin), closed])) !== undefined) throw new Error(CLOSED);
  } finally {
    waited.abort();
  }
}

function reasonOf(error: unknown): string {
  if (hasCode(error, 'ABORT_ERR')) return `No connection came within ${TIMEOUT_MS / 1_000} s.`;
  return messageOf(error) || (codeOf(error) ?? String(error));
}
