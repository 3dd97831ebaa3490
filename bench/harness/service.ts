import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Database } from './database.js';
import { SERVICE_OPTIONS } from './service-options.js';
import { cpuSeconds, cpuSecondsOfFamily } from './usage.js';

const MAIN = fileURLToPath(new URL('../../service/main.js', import.meta.url));
const LISTENING = /Listening on (http:\S+)/;
const DATABASE = /bundled PostgreSQL at (\S+)/;
const TROUBLE = /\b(WARN|ERROR|FATAL)\b/;
const START_TIMEOUT_MS = 60_000;

/** A data folder for one goal. It is removed with its content after the goal. */
export async function makeDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  // The account that PostgreSQL runs under must be able to enter the folder.
  await chmod(directory, 0o755);
  return directory;
}

export function removeDataDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true });
}

/** The real service as a process, with the bundled PostgreSQL of its data folder. */
export class Service {
  private constructor(
    private readonly child: ChildProcess,
    /** The URL of the service, `http://127.0.0.1:<port>`. */
    readonly url: string,
    readonly database: Database,
    private readonly databasePid: number,
    /** Time from the start of the process to the line that says that it listens. */
    readonly startMilliseconds: number,
  ) {}

  /** Starts the service and waits until it listens. `variables` adds configuration variables; `main` is the file of another build. */
  static async start(dataDirectory: string, variables: Readonly<Record<string, string>> = {}, main = MAIN): Promise<Service> {
    const started = performance.now();
    const child = spawn(process.execPath, [...SERVICE_OPTIONS, main], {
      cwd: dataDirectory,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        NO_COLOR: '1',
        Service_Port: '0',
        Service_BindAddress: '127.0.0.1',
        Service_DataPath: join(dataDirectory, 'data'),
        Service_AgentBundle__BuildAtStart: 'false',
        Service_AppOptions__MaxFileTransferSize: '0',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // The service and its PostgreSQL end gracefully, even when the bench is interrupted.
    const end = (): boolean => child.kill('SIGTERM');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    const output = await outputUntilReady(child);
    const url = LISTENING.exec(output.text)?.[1] ?? '';
    const host = DATABASE.exec(output.text)?.[1] ?? '';
    const [databasePid] = (await readFile(join(dataDirectory, 'data', 'pg', 'postmaster.pid'), 'utf8')).split('\n');
    return new Service(child, url, { host, user: 'app', database: 'app' }, Number(databasePid), output.listenedAt - started);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Processor time of the service without PostgreSQL, in seconds. */
  cpuSeconds(): Promise<number> {
    return cpuSeconds(this.pid);
  }

  /** Processor time of the PostgreSQL of the service, in seconds. */
  databaseCpuSeconds(): Promise<number> {
    return cpuSecondsOfFamily(this.databasePid);
  }

  /** Makes the service collect its garbage. */
  collectGarbage(): void {
    this.child.kill('SIGWINCH');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

function outputUntilReady(child: ChildProcess): Promise<{ readonly text: string; readonly listenedAt: number }> {
  return new Promise((resolve, reject) => {
    let text = '';
    let listenedAt: number | undefined;
    const fail = (reason: string): void => reject(new Error(`The service did not start: ${reason}\n${text}`));
    const deadline = setTimeout(() => fail(`it took more than ${START_TIMEOUT_MS} ms.`), START_TIMEOUT_MS);
    child.once('exit', (code, signal) => fail(`it ended (${signal ?? code}).`));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        if (listenedAt !== undefined && DATABASE.test(text)) {
          // Printed, because they cast doubt on the figures.
          if (TROUBLE.test(piece)) process.stderr.write(piece);
          return;
        }
        text += piece;
        if (LISTENING.test(text)) listenedAt ??= performance.now();
        if (listenedAt === undefined || !DATABASE.test(text)) return;
        clearTimeout(deadline);
        resolve({ text, listenedAt });
      });
    }
  });
}
