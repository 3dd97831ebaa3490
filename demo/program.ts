import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Most characters of a program's output that are kept. The oldest are dropped. */
const KEPT_OUTPUT = 1024 * 1024;

/** Time-out, in milliseconds: long enough for a busy machine. */
const DEADLINE_MS = 120_000;

/** Time for a program to end before it is killed, in milliseconds. */
const STOP_TIMEOUT_MS = 60_000;

/** End of a program: its exit code, or the signal that ended it. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  /** The working directory. The service and the agent read nothing from it except a `settings.json`. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Starts the program in a process group of its own. Signals go to the whole group, as from a terminal. */
  readonly inOwnGroup?: boolean;
}

/** Programs that have not ended. */
const running = new Set<Program>();
process.once('exit', () => {
  for (const program of running) program.signal('SIGKILL');
});

/** A program in a process of its own, with its output. It never outlives this process. */
export class Program {
  private printed = '';
  private readonly listeners = new Set<() => void>();
  private readonly end: Promise<ProgramEnd>;

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
    running.add(this);
    // `close` comes after the last output; `exit` may come before it.
    this.end = once(child, 'close')
      .then(() => ({ code: child.exitCode, signal: child.signalCode }))
      .finally(() => running.delete(this));
  }

  /** Starts a program. Messages refer to it as `name`. */
  static start(name: string, command: readonly string[], { cwd, env, inOwnGroup = false }: ProgramOptions): Program {
    const [file = '', ...args] = command;
    return new Program(name, spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: inOwnGroup }), inOwnGroup);
  }

  /** All output so far: standard output and standard error in order of arrival. */
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

  /** Waits until its output matches. Throws with its output when the program ends first, or at the deadline. */
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

  /** Waits until the program has ended. Throws with its output at the deadline. */
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

  /** Sends a signal. Does nothing when the program has ended. */
  signal(signal: NodeJS.Signals): void {
    if (this.isGroup) signalGroup(this.pid, signal);
    else if (this.isRunning) this.child.kill(signal);
  }

  /** Asks the program to end and waits. Kills it when it does not end in time. */
  async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<ProgramEnd> {
    this.signal('SIGTERM');
    try {
      return await this.untilEnd(timeoutMs);
    } catch {
      // It did not end in time.
      return this.kill();
    }
  }

  /** Kills the program, like a crash. */
  async kill(): Promise<ProgramEnd> {
    this.signal('SIGKILL');
    return this.end;
  }
}

/** Sends a signal to the remaining processes of a group, even if its first process has ended. */
function signalGroup(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-id, signal);
  } catch (error) {
    // Checked by code: a system error need not be an instance of this module's Error class.
    if (!(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
