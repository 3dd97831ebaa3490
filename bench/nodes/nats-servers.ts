import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createUser } from '@nats-io/nkeys';

import { Program } from '../../demo/program.js';
import { plainEnvironment } from '../../demo/service.js';
import { fileOf, type Need } from '../harness/bench-part.js';
import { cpuSeconds } from '../harness/usage.js';
import { keptPort } from './ports.js';
import { until } from '../harness/until.js';

export const NATS: Need = { program: 'nats-server', debianPackage: 'nats-server' };

const FOLDER = fileURLToPath(new URL('../../../deploy/nats/', import.meta.url));
const NAMES = ['nats-1', 'nats-2', 'nats-3'];

/** A server of NATS with the shipped configuration. */
class NatsServer {
  private program: Program | null = null;

  constructor(
    private readonly folder: string,
    private readonly name: string,
    private readonly publicKey: string,
    readonly port: number,
    private readonly monitor: number,
  ) {}

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const file = fileOf(NATS.program) ?? NATS.program;
    const addresses = ['-a', '127.0.0.1', '-p', String(this.port), '-m', String(this.monitor)];
    const env = { ...plainEnvironment(), NATS_NAME: this.name, NATS_NKEY: this.publicKey };
    this.program = Program.start(this.name, [file, '-c', join(this.folder, `${this.name}.conf`), ...addresses], { cwd: this.folder, env });
    await this.program.untilPrints(/Server is ready/);
  }

  /** Lets its clients move to another server, and waits until it has ended. */
  async leave(): Promise<void> {
    this.program?.signal('SIGUSR2');
    await this.program?.untilEnd();
  }

  async kill(): Promise<void> {
    await this.program?.kill();
  }

  async cpuSeconds(): Promise<number> {
    return this.program?.isRunning === true ? cpuSeconds(this.program.pid) : 0;
  }

  /** Number of the other servers that it is connected to. */
  async routes(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.monitor}/routez`);
    const { routes } = (await answer.json()) as { readonly routes?: readonly { readonly remote_id: string }[] | null };
    // From 2.10 on, servers have several connections to each other.
    return new Set((routes ?? []).map(({ remote_id: remote }) => remote)).size;
  }
}

/** One server of NATS, or a cluster of three. */
export class NatsServers {
  private constructor(
    readonly all: readonly NatsServer[],
    private readonly seed: string,
  ) {}

  /** Starts the servers with the shipped files, in which the names of three machines are ports of this one. */
  static async start(count: 1 | 3, directory: string): Promise<NatsServers> {
    const folder = join(directory, 'nats');
    await mkdir(folder);
    await copyFile(join(FOLDER, 'nats-server.conf'), join(folder, 'nats-server.conf'));
    const key = createUser();
    const names = NAMES.slice(0, count);
    const routes = await Promise.all(names.map(() => keptPort()));
    const shipped = await readFile(join(FOLDER, count === 1 ? 'nats-server.conf' : 'nats-cluster.conf'), 'utf8');
    const all: NatsServer[] = [];
    for (const [index, name] of names.entries()) {
      let config = shipped.replace('0.0.0.0:6222', `127.0.0.1:${routes[index]}`);
      for (const [other, port] of routes.entries()) config = config.replace(`nats://${NAMES[other]}:6222`, `nats://127.0.0.1:${port}`);
      await writeFile(join(folder, `${name}.conf`), config);
      all.push(new NatsServer(folder, name, key.getPublicKey(), await keptPort(), await keptPort()));
    }
    const servers = new NatsServers(all, new TextDecoder().decode(key.getSeed()));
    await Promise.all(all.map((server) => server.start()));
    await servers.untilJoined();
    return servers;
  }

  /** The options by which a node finds and enters NATS. */
  get variables(): Readonly<Record<string, string>> {
    return { Service_Nodes__Nats: this.all.map(({ url }) => url).join(','), Service_Nodes__NatsSeed: this.seed };
  }

  /** Waits until each is connected to all others. */
  async untilJoined(): Promise<void> {
    for (const server of this.all) {
      await until('the servers of NATS have found each other', async () => (await server.routes()) === this.all.length - 1);
    }
  }

  /** Processor time of all of them, in seconds. */
  async cpuSeconds(): Promise<number> {
    return sum(await Promise.all(this.all.map((server) => server.cpuSeconds())));
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((server) => server.kill()));
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
