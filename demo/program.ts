import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Characters of a program's output that are kept; of more the end. */
const KEPT_OUTPUT = 1024 * 1024;

/** No measure of speed: what takes longer, on a machine that has much else to do, will never come. */
const DEADLINE_MS = 120_000;

/** How long a program that is asked to end may take before it is killed. */
const PATIENCE_MS = 60_000;

/** How a program ended: its exit code, or the signal that ended it. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  /** Working directory; nothing of it is read by the service and the agent unless it holds a `settings.json`. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Makes it the first of a group of processes that signals go to as a whole, as from a terminal. */
  readonly inOwnGroup?: boolean;
}

/** A program in a process of its own, with what it prints. It never outlives this process. */
export class Program {
  private printed = '';
  private readonly listeners = new Set<() => void>();
  private readonly end: Promise<ProgramEnd>;
  private readonly killWithProcess = (): void => this.signal('SIGKILL');

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
    private readonly isGroup: boolean,
  ) {
    const append = (chunk: string): void => {
      this.printed = (this.printed + chunk).slice(-KEPT_OUTPUT);
      for (const listener of this.listeners) listener();
    };
    child.stdout?.setEncoding('utf8').on('data', append);
    child.stderr?.setEncoding('utf8').on('data', append);
    process.once('exit', this.killWithProcess);
    // `close` comes after the last of the output, `exit` may come before it.
    this.end = once(child, 'close').then(() => {
      process.removeListener('exit', this.killWithProcess);
      return { code: child.exitCode, signal: child.signalCode };
    });
  }

  /** Starts a program; `name` is what messages call it. */
  static start(name: string, command: readonly string[], { cwd, env, inOwnGroup = false }: ProgramOptions): Program {
    const [file = '', ...args] = command;
    return new Program(name, spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: inOwnGroup }), inOwnGroup);
  }

  /** Everything it printed so far, standard output and standard error as they came. */
  get output(): string {
    return this.printed;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`${this.name} has no process.`);
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until its output matches. Throws with its output when it ends first, or at the deadline. */
  async untilPrints(pattern: RegExp, deadlineMs = DEADLINE_MS): Promise<RegExpExecArray> {
    let check: () => void = () => undefined;
    let timer: NodeJS.Timeout | undefined;
    const match = new Promise<RegExpExecArray>((resolve, reject) => {
      check = () => {
        const found = pattern.exec(this.printed);
        if (found !== null) resolve(found);
      };
      this.listeners.add(check);
      const refuse = (reason: string): void => reject(new Error(`${this.name} ${reason} before it printed ${pattern}:\n${this.printed}`));
      timer = setTimeout(() => refuse(`took longer than ${deadlineMs} ms`), deadlineMs);
      this.end.then(
        ({ code, signal }) => {
          check();
          refuse(`ended (${signal ?? `exit code ${code}`})`);
        },
        (error: unknown) => refuse(`could not be started (${String(error)})`),
      );
      check();
    });
    try {
      return await match;
    } finally {
      clearTimeout(timer);
      this.listeners.delete(check);
    }
  }

  /** Waits until it has ended. Throws with its output at the deadline. */
  async untilEnd(deadlineMs = DEADLINE_MS): Promise<ProgramEnd> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`${this.name} did not end within ${deadlineMs} ms:\n${this.printed}`)), deadlineMs);
    });
    try {
      return await Promise.race([this.end, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a signal; nothing happens when it has ended already. */
  signal(signal: NodeJS.Signals): void {
    if (this.isGroup) signalGroup(this.pid, signal);
    else if (this.isRunning) this.child.kill(signal);
  }

  /** Asks it to end and waits; one that does not end in time is killed. */
  async stop(patienceMs = PATIENCE_MS): Promise<ProgramEnd> {
    this.signal('SIGTERM');
    try {
      return await this.untilEnd(patienceMs);
    } catch {
      // Too late to be asked.
      return this.kill();
    }
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<ProgramEnd> {
    this.signal('SIGKILL');
    return this.end;
  }
}

/** Sends a signal to whoever is left of a group, whether or not its first process is. */
function signalGroup(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-id, signal);
  } catch (error) {
    // Told by its code: an error of the system need not be of the class that this module knows.
    if (!(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
