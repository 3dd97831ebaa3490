import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { it, type TestContext } from 'vitest';

import { Program } from '../../../demo/program.js';
import {
  launchService,
  newBootstrapAccount,
  plainEnvironment,
  stopOrphanedPostgres,
  untilListening,
  type Service,
} from '../../../demo/service.js';
import { ApiClient } from '../application/api-client.js';
import type { Stoppable } from '../application/app.js';
import { ask } from '../brokers/broker-client.js';
import type { TestDatabase } from '../brokers/postgres.js';

/** Lines of each program that the report of a failed test shows. */
const LAST_LINES = 15;

export type Environment = Readonly<Record<string, string>>;

/** The project folder with built programs in `dist`. The first call of a run builds them. */
export async function builtProject(): Promise<string> {
  const { project } = await ask<{ project: string }>('TEST_BUILD_BROKER');
  return project;
}

/** Programs that are started often start in half the time: Node.js 22 and later keep in this folder what they made of modules. */
function withCompileCache(): Environment {
  const { TEST_COMPILED } = process.env;
  return TEST_COMPILED === undefined ? {} : { NODE_COMPILE_CACHE: TEST_COMPILED };
}

/** The configuration that makes the service use a test database instead of the bundled PostgreSQL. */
export function onDatabase({ connection: { host, port, user, password, database } }: Pick<TestDatabase, 'connection'>): Environment {
  return {
    POSTGRES_HOST: host,
    POSTGRES_PORT: String(port),
    POSTGRES_USER: user,
    POSTGRES_DB: database,
    ...(password === undefined ? {} : { POSTGRES_PASSWORD: password }),
  };
}

/**
 * A machine for one test: a temporary folder in which the built service and agents run as processes. By default the
 * service has its own PostgreSQL in `data`, listens on a free port and has the bootstrap account.
 */
export class Machine {
  readonly account = newBootstrapAccount();
  private readonly programs: Program[] = [];
  private readonly stopping: Stoppable[] = [];

  private constructor(
    private readonly project: string,
    /** The working directory of the programs. */
    readonly folder: string,
  ) {}

  /** A machine on which the service has never run. */
  static async open(): Promise<Machine> {
    const project = await builtProject();
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'machine-')));
    // As root, the bundled PostgreSQL runs as another account, which must be able to enter the folder.
    await chmod(folder, 0o755);
    return new Machine(project, folder);
  }

  /** A machine on which the service has run once, and has stored nothing: its first start here need not create a cluster. */
  static async afterFirstStart(): Promise<Machine> {
    const machine = await Machine.open();
    const { dataPath } = await ask<{ dataPath: string }>('TEST_CLUSTER_BROKER');
    await promisify(execFile)('cp', ['-a', dataPath, machine.dataPath]);
    return machine;
  }

  get dataPath(): string {
    return join(this.folder, 'data');
  }

  /** Launches the service without waiting for it. `env` adds to its configuration; an empty value removes an option. */
  launch(env: Environment = {}): Program {
    return this.keep(
      launchService(this.project, this.folder, {
        ...withCompileCache(),
        ...this.account.env,
        Service_Port: '0',
        Service_BindAddress: '127.0.0.1',
        Service_DataPath: this.dataPath,
        ...env,
      }),
    );
  }

  /** Starts the service and waits until it accepts requests. */
  async start(env: Environment = {}): Promise<Service> {
    return untilListening(this.launch(env));
  }

  /** Launches the agent program with this command line. */
  agent(args: readonly string[], env: Environment = {}): Program {
    const command = [process.execPath, join(this.project, 'dist/agent/src/main.js'), ...args];
    return this.keep(
      Program.start('The agent', command, { cwd: this.folder, env: { ...plainEnvironment(), ...withCompileCache(), ...env } }),
    );
  }

  /** A client that calls as the bootstrap account. */
  client({ url }: Pick<Service, 'url'>): ApiClient {
    return new ApiClient(url, { 'x-api-key': this.account.key });
  }

  /** The process id of the PostgreSQL in the data folder. */
  async postgresPid(): Promise<number> {
    const [pid] = (await readFile(join(this.dataPath, 'pg', 'postmaster.pid'), 'utf8')).split('\n');
    return Number(pid);
  }

  /** Adds the last lines that its programs printed to the report of a test, if this fails. */
  reportTo({ onTestFailed }: Pick<TestContext, 'onTestFailed'>): void {
    onTestFailed(() => {
      const lastOf = ({ name, output }: Program): string => `${name}:\n${output.trimEnd().split('\n').slice(-LAST_LINES).join('\n')}`;
      // The report of a test that has ended takes errors only.
      throw new Error(`Last lines of its programs\n${this.programs.map(lastOf).join('\n')}`);
    });
  }

  /** Makes `close` stop this first, for example a connected agent. Returns its argument. */
  alsoStop<T extends Stoppable>(started: T): T {
    this.stopping.push(started);
    return started;
  }

  /** Ends what still runs and deletes the folder. */
  async close(): Promise<void> {
    for (const started of this.stopping.splice(0).reverse()) await started.stop();
    for (const program of this.programs) await program.kill();
    await stopOrphanedPostgres(this.dataPath);
    await rm(this.folder, { recursive: true, force: true });
  }

  private keep(program: Program): Program {
    this.programs.push(program);
    return program;
  }
}

/** A test with a machine of its own, so that tests of a file can run at the same time. */
export const onMachine = it.extend('machine', async ({ onTestFinished, onTestFailed }) => {
  const machine = await Machine.afterFirstStart();
  machine.reportTo({ onTestFailed });
  onTestFinished(() => machine.close());
  return machine;
});

/** The ports that were looked at. One that was given need not be listened on yet, or all the time. */
const knownPorts = new Set<number>();

/**
 * A free port of 127.0.0.1 below the range from which systems assign ports. So no other program gets it while the
 * service is down for a moment.
 */
export async function portToKeep(): Promise<number> {
  for (;;) {
    const port = 20_000 + randomInt(10_000);
    if (knownPorts.has(port)) continue;
    knownPorts.add(port);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Returns true if a process with this id runs. A process that ended but was not waited for does not. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}
