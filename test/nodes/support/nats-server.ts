import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { eventually } from '../../support/eventually.js';
import { portToKeep } from '../../support/processes/service-process.js';

/** State of a process that a signal has stopped, in the kernel's table. */
const STOPPED = /\) T /;

/** The program, as Debian's package has it, or the one on the path. */
function program(): string | undefined {
  return ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)]
    .map((folder) => join(folder, 'nats-server'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Its limits, as in the configuration that the service comes with. */
const LIMITS = fileURLToPath(new URL('limits.conf', import.meta.url));

/** The sentence of a skipped test; undefined where NATS is. */
export const noNats = program() === undefined ? 'nats-server is not installed' : undefined;

/** A real server of NATS on a port of its own, which can be ended, stopped for a while and started again. */
export class NatsServer {
  private child: ChildProcess | null = null;

  private constructor(
    readonly port: number,
    private readonly options: readonly string[],
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** Starts a server with these options; by default with the limits that nodes need. `env` has the variables of a configuration. */
  static async start(options: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<NatsServer> {
    const isConfigured = options.includes('-c');
    const server = new NatsServer(await portToKeep(), isConfigured ? options : ['-c', LIMITS, ...options], env);
    await server.startAgain();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Starts it, unless it runs. */
  async startAgain(): Promise<void> {
    if (this.isRunning) return;
    const args = ['-a', '127.0.0.1', '-p', String(this.port), ...this.options];
    const child = spawn(program() ?? 'nats-server', args, { env: { ...process.env, ...this.env }, stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    await eventually('the server of NATS is ready', () => {
      if (child.exitCode !== null) throw new Error(`nats-server has ended: ${output}`);
      return output.includes('Server is ready');
    });
  }

  private get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Stops it, and resolves when it stands still. */
  async freeze(): Promise<void> {
    this.child?.kill('SIGSTOP');
    const file = `/proc/${this.child?.pid ?? 0}/stat`;
    await eventually('the server of NATS stands still', async () => STOPPED.test(await readFile(file, 'utf8')));
  }

  /** Lets it go on. */
  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Lets it end in order. */
  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === null || !this.isRunning) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
