import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Reason to skip tests with a display; undefined where they can run. */
export const noXServer = ['Xvfb', 'xsetroot'].every((program) => spawnSync('which', [program]).status === 0)
  ? undefined
  : 'needs Xvfb and xsetroot (Debian: xvfb, x11-xserver-utils)';

/** The account of a program, if it is not that of the tests. */
interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** An X server without a screen of glass, on a display of its own. */
export class XServer {
  private constructor(
    private readonly server: ChildProcess,
    readonly number: number,
  ) {}

  static async start(size: string, options: readonly string[] = [], depth = 24, account: Account = {}): Promise<XServer> {
    const args = ['-displayfd', '3', '-screen', '0', `${size}x${depth}`, '-nolisten', 'tcp', '-noreset', ...options];
    const server = spawn('Xvfb', args, { ...account, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const written = server.stdio[3];
    if (written === null || written === undefined || !('setEncoding' in written)) throw new Error('Xvfb has no pipe.');
    // The number and the end of its line come together or one after the other.
    let number = '';
    for await (const part of written.setEncoding('utf8')) if ((number += String(part)).endsWith('\n')) break;
    if (number === '') throw new Error('Xvfb did not start.');
    return new XServer(server, Number(number));
  }

  get processId(): number {
    return this.server.pid ?? 0;
  }

  get name(): string {
    return `:${this.number}`;
  }

  /** Runs a program on the display to its end. */
  async run(program: string, ...args: string[]): Promise<void> {
    const run = spawn(program, args, { env: { ...process.env, DISPLAY: this.name }, stdio: ['ignore', 'ignore', 'pipe'] });
    const [complaints, [code]] = await Promise.all([text(run.stderr), once(run, 'close')]);
    if (code !== 0) throw new Error(`${program} failed: ${complaints}`);
  }

  /** Fills the screen with a colour, such as `#3366cc`. */
  async paint(colour: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
    const program = spawn('xsetroot', ['-solid', colour], {
      env: { ...process.env, DISPLAY: this.name, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [complaints, [code]] = await Promise.all([text(program.stderr), once(program, 'close')]);
    if (code !== 0) throw new Error(`xsetroot failed: ${complaints}`);
  }

  async stop(): Promise<void> {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    const ended = once(this.server, 'exit');
    this.server.kill();
    await ended;
  }
}

/** A file of X11 keys with one key for every display of every machine. */
export function authority(key: Buffer): Buffer {
  const field = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  return Buffer.concat([
    Buffer.from([0xff, 0xff]),
    ...[Buffer.alloc(0), Buffer.alloc(0), Buffer.from('MIT-MAGIC-COOKIE-1'), key].map(field),
  ]);
}
