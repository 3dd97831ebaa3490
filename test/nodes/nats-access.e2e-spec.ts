import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createUser, type KeyPair } from '@nats-io/nkeys';
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from 'vitest';

import type { CarrierListener } from '../../src/live/nodes/line/carrier.js';
import { probeNats } from '../../src/live/nodes/examination/nats-probe.js';
import { NatsCarrier } from '../../src/live/nodes/line/nats-carrier.js';
import type { NatsOptions } from '../../src/live/nodes/line/nats-connection.js';
import { nodesFindings } from '../../src/system/doctor/checks/nodes.js';
import { Authority } from '../support/stand-ins/certificates.js';
import { eventually } from '../support/eventually.js';
import { portToKeep } from '../support/processes/service-process.js';
import { NatsServer, noNats } from './support/nats-server.js';

const SHIPPED = fileURLToPath(new URL('../../deploy/nats/nats-server.conf', import.meta.url));

describe.skipIf(noNats !== undefined)('access to NATS', () => {
  const open: { close(): Promise<unknown> }[] = [];

  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  const seedOf = (key: KeyPair): string => new TextDecoder().decode(key.getSeed());

  /** A server with the configuration that the service comes with. */
  async function shipped(key: KeyPair): Promise<NatsServer> {
    const options = ['-c', SHIPPED, '-m', String(await portToKeep())];
    return kept(await NatsServer.start(options, { NATS_NAME: 'nats-1', NATS_NKEY: key.getPublicKey() }));
  }

  /** A server with a configuration of the test. */
  async function configured(config: string): Promise<NatsServer> {
    const folder = await mkdtemp(join(tmpdir(), 'nats-'));
    open.push({ close: () => rm(folder, { recursive: true }) });
    const file = join(folder, 'nats.conf');
    await writeFile(file, config);
    return kept(await NatsServer.start(['-c', file]));
  }

  function kept(server: NatsServer): NatsServer {
    open.push({ close: () => server.kill() });
    return server;
  }

  async function carrier(changes: Partial<NatsOptions>): Promise<NatsCarrier> {
    const listener: CarrierListener = { message: () => undefined, nobody: () => undefined, up: () => undefined, down: () => undefined };
    const options = { servers: [], seed: null, user: null, ca: null, name: 'test', ...changes };
    const made = await NatsCarrier.open('a', options, listener);
    open.push(made);
    return made;
  }

  async function foreigner(server: NatsServer, key: KeyPair): Promise<NatsConnection> {
    const connection = await connect({ servers: server.url, authenticator: nkeyAuthenticator(key.getSeed()), reconnect: false });
    open.push(connection);
    return connection;
  }

  it('is granted to the key in the configuration that the service comes with', async () => {
    const key = createUser();
    const server = await shipped(key);
    const node = await carrier({ servers: [server.url], seed: seedOf(key) });
    await eventually('the node is connected', () => node.isUp());
    expect(node.server()?.address).toBe(`127.0.0.1:${server.port}`);
  });

  it('is refused to another key, and without one', async () => {
    const server = await shipped(createUser());
    await expect(carrier({ servers: [server.url], seed: seedOf(createUser()) })).rejects.toThrow('NATS does not know the key');
    await expect(carrier({ servers: [server.url] })).rejects.toThrow('NATS does not know the key');
  });

  it('permits nothing but the subjects of the nodes', async () => {
    const key = createUser();
    const connection = await foreigner(await shipped(key), key);
    const refused: string[] = [];
    for (const subject of ['>', '*', 'other.subject', '$SYS.>']) {
      connection.subscribe(subject, { callback: (error) => void (error !== null && refused.push(subject)) });
    }
    await connection.flush();
    expect(refused.sort()).toEqual(['$SYS.>', '*', '>', 'other.subject']);
  });

  it('is not enough when the key may not hear what nodes hear: the refusal names the subject', async () => {
    const key = createUser();
    const permissions = '{ publish: ["dm.>"], subscribe: ["dm.1.here"] }';
    const server = await configured(
      `max_payload: 2MB\nauthorization { users: [ { nkey: ${key.getPublicKey()}, permissions: ${permissions} } ] }`,
    );
    await expect(carrier({ servers: [server.url], seed: seedOf(key) })).rejects.toThrow(
      'NATS does not permit this node to subscribe to dm.1.node.a.',
    );
  });

  it('is refused by a server with too low a limit of messages, which the refusal names', async () => {
    const server = await configured('max_payload: 1MB');
    await expect(carrier({ servers: [server.url] })).rejects.toThrow('Set max_payload in its configuration to 2MB.');
  });

  it('goes over TLS with the named authority only', async () => {
    const authority = new Authority();
    const folder = await mkdtemp(join(tmpdir(), 'nats-tls-'));
    open.push({ close: () => rm(folder, { recursive: true }) });
    const { cert, key } = authority.issue('localhost', 5);
    await Promise.all([writeFile(join(folder, 'cert.pem'), cert), writeFile(join(folder, 'key.pem'), key)]);
    const tls = `tls { cert_file: "${join(folder, 'cert.pem')}", key_file: "${join(folder, 'key.pem')}" }`;
    const server = await configured(`max_payload: 2MB\n${tls}`);
    const servers = [`tls://localhost:${server.port}`];
    const trusted = await carrier({ servers, ca: authority.cert });
    await eventually('the node is connected', () => trusted.isUp());
    const distrusted = await carrier({ servers, ca: new Authority('Another authority').cert });
    const unknowing = await carrier({ servers });
    expect([distrusted.isUp(), unknowing.isUp()]).toEqual([false, false]);
    const findings = async (ca: string): Promise<readonly string[]> => {
      const found = await probeNats({ servers, seed: null, user: null, ca, name: 'test' });
      return nodesFindings({ ...found, nodes: [], published: null }, Date.now()).flatMap(({ kind }) => kind ?? []);
    };
    expect(await findings(authority.cert)).toEqual(['nats-permissions', 'nats-certificate']);
    expect(await findings(new Authority('Another authority').cert)).toEqual(['nats-unreachable']);
  });
});
