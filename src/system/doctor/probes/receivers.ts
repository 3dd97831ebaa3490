import { access, constants } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { dirname } from 'node:path';
import { connect as connectTls } from 'node:tls';

import type { EntityManager } from 'typeorm';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { codeOf, hasCode } from '../../../platform/common/errors/system-error.js';
import { STANDARD_OUTPUT } from '../../../platform/config/options.js';
import type { Settings } from '../../../platform/config/settings.js';
import { readStanding, type Standing } from '../../forwarding/forwarding-standing.js';
import type { ReceiverFacts } from '../checks/forwarding.js';

const TIMEOUT_MS = 5_000;
/** Protocols on which the receiver is asked for a certificate, and ports where the address may name none. */
const SECURE = ['https:', 'tls:'];
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Tries to reach the receivers of logs that are configured. Sends nothing to them. */
export async function receiverFacts({ forwarding: { file, syslogUrl, httpUrl } }: Settings): Promise<readonly ReceiverFacts[]> {
  const facts: Promise<ReceiverFacts>[] = [];
  if (file === STANDARD_OUTPUT) facts.push(Promise.resolve({ name: 'the standard output', problem: null }));
  else if (file !== '') facts.push(fileFacts(file));
  for (const address of [syslogUrl, httpUrl]) if (address !== '') facts.push(addressFacts(new URL(address)));
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
    return { name, problem: null };
  } catch (error) {
    return { name, problem: reasonOf(error) };
  }
}

/** Datagrams have no connection: nothing tells if they arrive. */
async function addressFacts({ protocol, host, hostname, port }: URL): Promise<ReceiverFacts> {
  if (protocol === 'udp:') return { name: host, problem: null };
  const target = { host: hostname.replaceAll(/^\[|\]$/g, ''), port: port === '' ? PORTS[protocol] : Number(port) };
  const isSecure = SECURE.includes(protocol);
  const socket = isSecure ? connectTls({ ...target, ...(isIP(target.host) === 0 ? { servername: target.host } : {}) }) : connect(target);
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { name: host, problem: null };
  } catch (error) {
    return { name: host, problem: reasonOf(error) };
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

function reasonOf(error: unknown): string {
  if (hasCode(error, 'ABORT_ERR')) return `No connection came within ${TIMEOUT_MS / 1_000} s.`;
  return messageOf(error) || (codeOf(error) ?? String(error));
}
