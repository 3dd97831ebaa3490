import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ConnectionOptions } from 'node:tls';
import { fileURLToPath } from 'node:url';

import { describe, expect } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';

import { Program } from '../../demo/program.js';
import { plainEnvironment } from '../../demo/service.js';
import { createTestDatabase } from '../support/brokers/postgres.js';
import { eventually } from '../support/eventually.js';
import { onDatabase, onMachine, portToKeep, type Machine } from '../support/processes/service-process.js';

/** The name in the files of deploy/proxies. */
const NAME = 'devices.example.org';
/** Larger than nginx lets pass by default, and than the service takes. */
const LARGE_BODY = Buffer.alloc(40 * 1024 * 1024, 'x');

interface Proxy {
  readonly program: string;
  readonly file: string;
  /** Puts the ports, the certificate and the folder of a test into the file. */
  adapted(file: string, place: Place): string;
  command(config: string): readonly string[];
}

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly servicePort: string;
}

const PROXIES: readonly Proxy[] = [
  {
    program: 'nginx',
    file: 'nginx.conf',
    adapted: (file, { folder, port, servicePort }) =>
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}\n` +
      `http {\naccess_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder};\n` +
      `${file.replaceAll('listen 443', `listen 127.0.0.1:${port}`).replaceAll('127.0.0.1:8080', `127.0.0.1:${servicePort}`).replaceAll('/etc/ssl', folder)}\n}\n`,
    command: (config) => ['nginx', '-c', config],
  },
  {
    program: 'haproxy',
    file: 'haproxy.cfg',
    adapted: (file, { folder, port, servicePort }) =>
      file
        .replace('maxconn 50000', 'maxconn 100')
        .replace('bind :443', `bind 127.0.0.1:${port}`)
        .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
        .replace('/etc/ssl/devices.pem', `${folder}/both.pem`),
    command: (config) => ['haproxy', '-f', config],
  },
  {
    program: 'caddy',
    file: 'Caddyfile',
    adapted: (file, { folder, port, servicePort }) =>
      `{\n\tadmin off\n\tauto_https off\n}\n` +
      file
        .replace(`${NAME} {`, `${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/devices.pem ${folder}/devices.key`)
        .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`),
    command: (config) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', config],
  },
];

const it = onMachine.extend('database', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
});

describe('a proxy with the configuration of deploy/proxies', () => {
  for (const proxy of PROXIES) {
    const isMissing = [proxy.program, 'openssl'].some((program) => spawnSync('which', [program]).status !== 0);
    const name = `${proxy.program} passes requests, forwarded headers, large bodies and upgrades on`;
    it.skipIf(isMissing)(`${name}${isMissing ? ` (skipped: needs ${proxy.program} and openssl)` : ''}`, async ({ machine, database }) => {
      const service = await machine.start({ ...onDatabase(database), Service_AppOptions__KnownProxies: '127.0.0.1' });
      const front = await Front.start(proxy, machine, new URL(service.url).port);
      const account = { 'x-api-key': machine.account.key };

      // The service believes the proxy about the scheme and the name, and not the client.
      const headers = { ...account, 'content-type': 'application/json' };
      const spoofed = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
      const tenant = JSON.stringify({ name: 'Acme', administrator: { email: 'anna@example.org' } });
      const founded = await front.ask('/account/tenants', { ...headers, ...spoofed }, tenant);
      expect(founded.status).toBe(201);
      expect(founded.body).toMatch(new RegExp(`"inviteUrl":"https://${NAME}(:${front.port})?/`));

      // The answer to a body that is too large is the service's, and says so.
      const refused = await front.ask('/account/tenants', headers, LARGE_BODY);
      expect([refused.status, refused.headers['content-type']]).toEqual([413, 'application/problem+json; charset=utf-8']);

      await expect(front.handshake('/hubs/agent')).resolves.toBe('{}\u001E');
      expect((await front.ask('/health', {}, undefined, 'other.example.org').catch(() => null))?.status).not.toBe(200);
    });
  }
});

/** A running proxy before a service. */
class Front {
  private constructor(
    readonly port: number,
    private readonly certificate: Buffer,
  ) {}

  static async start(proxy: Proxy, machine: Machine, servicePort: string): Promise<Front> {
    const folder = join(machine.folder, 'proxy');
    await mkdir(folder);
    // Some of them become another account.
    await chmod(folder, 0o777);
    const [certificate, key] = [join(folder, 'devices.pem'), join(folder, 'devices.key')];
    const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
    const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', ...options, ...subject, '-out', certificate, '-keyout', key], { stdio: 'ignore' });
    await writeFile(join(folder, 'both.pem'), Buffer.concat([await readFile(certificate), await readFile(key)]));
    const port = await portToKeep();
    const file = await readFile(fileURLToPath(new URL(`../../deploy/proxies/${proxy.file}`, import.meta.url)), 'utf8');
    const config = join(folder, proxy.file);
    await writeFile(config, proxy.adapted(file, { folder, port, servicePort }));
    const environment = { ...plainEnvironment(), HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const program = Program.start(proxy.program, proxy.command(config), { cwd: folder, env: environment, inOwnGroup: true });
    machine.alsoStop({
      stop: async () => {
        await program.kill();
      },
    });
    const front = new Front(port, await readFile(certificate));
    await eventually(`${proxy.program} passes requests on`, async () => {
      if (!program.isRunning) throw new Error(program.output);
      return (await front.ask('/health').catch(() => null))?.status === 200;
    });
    return front;
  }

  async ask(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string | Buffer,
    host = NAME,
  ): Promise<{ readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string }> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port: this.port,
        servername: host,
        ca: this.certificate,
        path,
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, host: `${host}:${this.port}`, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      });
      asked.once('response', resolve);
      // A server that has answered may close before it has read all.
      asked.on('error', reject);
      asked.end(body);
    });
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
  }

  /** Opens a WebSocket, sends the handshake of SignalR and returns the first message. */
  async handshake(path: string): Promise<string> {
    const options: ClientOptions & ConnectionOptions = {
      ca: this.certificate,
      servername: NAME,
      headers: { host: `${NAME}:${this.port}` },
    };
    const socket = new WebSocket(`wss://127.0.0.1:${this.port}${path}`, options);
    try {
      return await new Promise<string>((resolve, reject) => {
        socket.once('error', reject);
        socket.once('close', () => reject(new Error('The connection was closed.')));
        socket.once('open', () => socket.send('{"protocol":"json","version":1}\u001E'));
        socket.once('message', (data: Buffer) => resolve(data.toString()));
      });
    } finally {
      socket.terminate();
    }
  }
}
