import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';
import { Client } from 'pg';

import type { LocalPostgresConnection } from '#libs/local-postgres';

import type { Service } from '../../../demo/service.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/brokers/postgres.js';
import { enrol, type Enrolment } from '../../support/devices/reporting-device.js';
import { eventually } from '../../support/eventually.js';
import { Machine, onDatabase } from '../../support/processes/service-process.js';
import { nodeOptions } from '../support/node-options.js';
import type { LoadedNodes } from './loaded-nodes.js';

/** State of a stopped process, in the kernel's table. */
const STOPPED = /\) T /;

/** Things that nodes use together, and their own options. */
export interface NodeSurroundings {
  /** Addresses of NATS, with commas. */
  readonly nats: string;
  /** A way to the database; by default the direct one. */
  readonly connection?: Pick<LocalPostgresConnection, 'host' | 'port'>;
  /** Further options of the node with that number, from 0. */
  readonly envOf?: (number: number) => Readonly<Record<string, string>>;
}

/** Time in which a node stood still, by the monotonic clock, in milliseconds. */
interface Standstill {
  readonly url: string;
  until: number;
}

/** Nodes as processes on one database. */
export class ProcessNodes implements LoadedNodes {
  machine!: Machine;
  database!: TestDatabase;
  enrolment!: Enrolment;
  private readonly running: Service[] = [];
  private readonly standstills: Standstill[] = [];
  private surroundings!: NodeSurroundings;
  private turn = 0;

  constructor(
    private readonly count: number,
    private readonly prepare: (nodes: ProcessNodes) => Promise<NodeSurroundings>,
  ) {}

  /** Opens all that nodes need. The first call of a run waits for the build. */
  async open(): Promise<void> {
    [this.machine, this.database] = await Promise.all([Machine.open(), createTestDatabase()]);
    this.surroundings = await this.prepare(this);
  }

  /** Starts all nodes at once. */
  async start(): Promise<void> {
    const numbers = Array.from({ length: this.count }, (_, number) => number);
    this.running.push(...(await Promise.all(numbers.map((number) => this.startOne(number)))));
    this.enrolment = await enrol(this.client());
  }

  async close(): Promise<void> {
    await this.machine.close();
    await this.database.drop();
  }

  /** The node with that number, from 0. */
  node(number: number): Service {
    const node = this.running[number % this.count];
    if (node === undefined) throw new Error(`There is no node ${number}.`);
    return node;
  }

  get headers(): Record<string, string> {
    return { 'x-api-key': this.machine.account.key };
  }

  next(): string {
    this.turn += 1;
    return this.node(this.turn).url;
  }

  stoodStill(url: string, since: number): boolean {
    return this.standstills.some((each) => each.url === url && each.until > since);
  }

  client(number = 0): ApiClient {
    return this.machine.client(this.node(number));
  }

  /** Starts a node in the place of one that has ended. */
  async startAgain(number: number): Promise<void> {
    this.running[number % this.count] = await this.startOne(number % this.count);
  }

  private startOne(number: number): Promise<Service> {
    const { nats, connection, envOf } = this.surroundings;
    return this.machine.start({
      ...onDatabase({ connection: { ...this.database.connection, ...connection } }),
      Service_DataPath: join(this.machine.folder, randomUUID()),
      ...nodeOptions({ url: nats }),
      ...envOf?.(number),
    });
  }

  /** Stops a node, and resolves when it stands still. */
  async freeze(number: number): Promise<void> {
    const { program, url } = this.node(number);
    this.standstills.push({ url, until: Number.POSITIVE_INFINITY });
    program.signal('SIGSTOP');
    await eventually('the node stands still', async () => STOPPED.test(await readFile(`/proc/${program.pid}/stat`, 'utf8')));
  }

  /** Lets a node go on. */
  thaw(number: number): void {
    const { program, url } = this.node(number);
    for (const each of this.standstills) if (each.url === url) each.until = Math.min(each.until, performance.now());
    program.signal('SIGCONT');
  }

  /** Waits until all nodes are ready and reach NATS. */
  async untilReady(): Promise<void> {
    for (const { url } of this.running) {
      await eventually(`${url} is ready`, async () => {
        const answer = await fetch(`${url}/health/ready`, { headers: { connection: 'close' } }).catch(() => null);
        return answer?.status === 200 && ((await answer.json()) as { nats: string }).nats === 'Reached';
      });
    }
  }

  /** Rows of the database itself, also while nodes do not reach it. */
  async rows<T extends object>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const client = new Client(this.database.connection);
    await client.connect();
    try {
      return (await client.query<T>(sql, [...parameters])).rows;
    } finally {
      await client.end();
    }
  }
}

/** Nodes that start before the first test and end after the last. */
export function processNodes(count: number, prepare: (nodes: ProcessNodes) => Promise<NodeSurroundings>): ProcessNodes {
  const nodes = new ProcessNodes(count, prepare);
  beforeAll(() => nodes.open());
  // Apart, because the first hook of a run may wait for the build.
  beforeAll(() => nodes.start());
  afterAll(() => nodes.close());
  return nodes;
}
