import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { LocalPostgres } from '#libs/local-postgres';

import { createFleet, type Account, type Database } from '../harness/database.js';
import type { Calls, Program } from '../harness/program.js';
import { Programs } from '../harness/programs.js';
import { makeDataDirectory, removeDataDirectory } from '../harness/service.js';
import { cpuSecondsOfFamily } from '../harness/usage.js';
import { NatsServers } from './nats-servers.js';
import { keptPort } from './ports.js';
import { ServiceNode } from './service-node.js';
import { until } from '../harness/until.js';

const SECRET = 'a-secret-of-the-nodes-of-the-bench';
/** Enough for five nodes, of which each may have 29, and for the programs beside them. */
const CONNECTIONS = 200;

interface Setup {
  readonly devices: number;
  /** Number of nodes. Default: 3. */
  readonly nodes?: number;
  /** Servers of NATS. Default: 1. */
  readonly nats?: 1 | 3;
  /** Nodes are stopped or refuse calls, so that their warnings are no news. */
  readonly isRough?: boolean;
  /** Nodes even out their numbers of agents, as the service does by default. Most loads need theirs to stay at one node. Default: false. */
  readonly rebalances?: boolean;
}

/** Several nodes on a PostgreSQL and NATS of their own, each a process, a tenant with devices, and the programs that a goal runs beside them. */
export class NodesScene {
  private constructor(
    readonly directory: string,
    readonly database: Database,
    readonly nodes: readonly ServiceNode[],
    readonly nats: NatsServers,
    readonly fleet: Account,
    private readonly postgres: LocalPostgres,
    private readonly programs: Programs,
  ) {}

  /** Sets up the scene, runs `act`, and always cleans up. */
  static async play<T>(setup: Setup, act: (scene: NodesScene) => Promise<T>): Promise<T> {
    const directory = await makeDataDirectory();
    const cleaning: (() => Promise<unknown>)[] = [() => removeDataDirectory(directory)];
    try {
      const postgres = await startPostgres(directory);
      cleaning.push(() => postgres.stop());
      const nats = await NatsServers.start(setup.nats ?? 1, directory);
      cleaning.push(() => nats.stop());
      const nodes: ServiceNode[] = [];
      for (let number = 0; number < (setup.nodes ?? 3); number += 1) {
        const variables = { ...onPostgres(postgres), ...nodeVariables(nats), Service_Nodes__Rebalance: String(setup.rebalances ?? false) };
        nodes.push(await ServiceNode.in(join(directory, `node-${number}`), await keptPort(), variables));
      }
      // A stop takes seconds, in which balancers would learn of it.
      cleaning.push(() => Promise.all(nodes.map((node) => node.kill())));
      for (const node of nodes) await node.start();
      for (const node of nodes) await until('the nodes reach each other', () => node.isReady());
      const programs = new Programs();
      cleaning.push(() => programs.stop());
      const database = postgres.superuserConnection;
      const scene = new NodesScene(directory, database, nodes, nats, await createFleet(database, setup.devices), postgres, programs);
      try {
        return await act(scene);
      } finally {
        // Printed, because they cast doubt on the figures.
        if (setup.isRough !== true) for (const node of nodes) for (const line of node.trouble()) process.stderr.write(`${line}\n`);
      }
    } finally {
      for (const clean of cleaning.reverse()) await clean();
    }
  }

  /** The node with that number, from 0. */
  node(number: number): ServiceNode {
    const node = this.nodes[number];
    if (node === undefined) throw new Error(`There is no node ${number}.`);
    return node;
  }

  /** The options of one more node. */
  get variables(): Readonly<Record<string, string>> {
    return { ...onPostgres(this.postgres), ...nodeVariables(this.nats) };
  }

  /** Starts a load by its path below the bench folder. It is stopped with the scene. */
  program<C extends Calls>(path: string): Program<C> {
    return this.programs.start<C>(path);
  }

  /** Processor time of all nodes and NATS, in seconds. */
  async cpuSeconds(): Promise<number> {
    const times = await Promise.all([...this.nodes.map((node) => node.cpuSeconds()), this.nats.cpuSeconds()]);
    return times.reduce((sum, time) => sum + time, 0);
  }

  /** The same with PostgreSQL. */
  async cpuSecondsWithDatabase(): Promise<number> {
    return (await this.cpuSeconds()) + (await cpuSecondsOfFamily(this.postgres.pid));
  }
}

/** A PostgreSQL that belongs to no service, in a folder of that directory. */
export async function startPostgres(directory: string): Promise<LocalPostgres> {
  const dataDirectory = join(directory, 'postgres');
  await mkdir(dataDirectory);
  // The account that it runs under must be able to enter the folder.
  await chmod(dataDirectory, 0o755);
  const log = { log: () => undefined, warn: (message: string) => void process.stderr.write(`${message}\n`) };
  return LocalPostgres.start({ dataDirectory, log, maxConnections: CONNECTIONS });
}

/** The options by which a service uses that PostgreSQL. */
export function onPostgres({ connection: { host, port, user, database } }: LocalPostgres): Record<string, string> {
  return { POSTGRES_HOST: host, POSTGRES_PORT: String(port), POSTGRES_USER: user, POSTGRES_DB: database };
}

function nodeVariables(nats: NatsServers): Record<string, string> {
  return {
    ...nats.variables,
    Service_Nodes__Secret: SECRET,
    Service_Nodes__Port: '0',
    Service_Nodes__BindAddress: '127.0.0.1',
  };
}
