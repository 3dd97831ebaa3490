import { randomBytes } from 'node:crypto';
import { RefusedError } from '../failures.js';
import { PromptReader, type ShellEvent } from './prompt-reader.js';
import { ShellTerminal } from './shell-terminal.js';
import { lineShell, shellEnvironment, type LineShellProfile } from './shells.js';

/** Most bytes that a command may print before it is interrupted. It bounds memory; nobody reads more. */
const MAX_RESULT_LENGTH = 1024 * 1024;
/** Longest line in bytes: a terminal drops what exceeds 4095 bytes. */
const MAX_LINE_BYTES = 4000;
const START_TIMEOUT_MS = 15_000;
const INTERRUPT = '\x03';
const PROMPT_SIGN = process.platform === 'win32' ? '>' : process.getuid?.() === 0 ? '#' : '$';

export interface LineShellListener {
  /** The output of a command that has ended or was interrupted for printing too much. */
  onResult(text: string, failed: boolean): void;
  /** The shell waits for a command, or for the rest of an unfinished one. */
  onPrompt(text: string): void;
  onExit(): void;
}

/** A real shell on a PTY that takes one command line at a time and tells when it has ended. */
export class LineShell {
  private readonly profile: LineShellProfile;
  private readonly reader: PromptReader;
  private readonly terminal: ShellTerminal;
  private state: 'starting' | 'ready' | 'ended' = 'starting';
  private preparationsLeft: number;
  private readonly started: Promise<void>;
  private settleStart: (error?: Error) => void = () => undefined;
  private printed = '';
  private isFlooding = false;

  constructor(
    private readonly listener: LineShellListener,
    private currentDirectory: string,
  ) {
    const token = randomBytes(12).toString('hex');
    this.profile = lineShell(token);
    this.reader = new PromptReader(token);
    this.preparationsLeft = this.profile.preparation.length;
    this.started = new Promise((resolve, reject) => {
      this.settleStart = (error) => (error === undefined ? resolve() : reject(error));
    });
    const options = {
      name: 'dumb',
      cols: 500,
      rows: 50,
      cwd: currentDirectory,
      env: { ...shellEnvironment(), ...this.profile.environment },
    };
    this.terminal = new ShellTerminal(this.profile.file, this.profile.args, options, {
      onText: (text) => this.reader.read(text).forEach((event) => this.onEvent(event)),
      onExit: () => this.onExit(),
    });
  }

  /** The directory that the shell is in. */
  get directory(): string {
    return this.currentDirectory;
  }

  /** Prompt before the next command. */
  get promptText(): string {
    return `${this.currentDirectory}${PROMPT_SIGN} `;
  }

  get file(): string {
    return this.profile.file;
  }

  /** Resolves when the shell is ready. Throws when it ends or prints nothing for 15 s. */
  async start(): Promise<void> {
    const timer = setTimeout(() => this.settleStart(new Error(`${this.profile.file} did not start in time.`)), START_TIMEOUT_MS);
    try {
      await this.started;
    } catch (error) {
      this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Types one line. While a command runs, it is that command's input. A lone Ctrl-C interrupts it. */
  type(line: string): void {
    if (line === INTERRUPT) {
      this.terminal.type(INTERRUPT);
      return;
    }
    if (/[\r\n]/.test(line)) throw new RefusedError('A command must be one line.');
    if (Buffer.byteLength(line) > MAX_LINE_BYTES) throw new RefusedError(`A command line must not be longer than ${MAX_LINE_BYTES} bytes.`);
    this.terminal.type(`${line}${this.profile.enter}`);
  }

  pause(): void {
    this.terminal.pause();
  }

  resume(): void {
    this.terminal.resume();
  }

  kill(): void {
    this.terminal.close();
  }

  private onEvent(event: ShellEvent): void {
    if (this.state === 'starting') this.onStarting(event);
    else if (event.kind === 'output') this.collect(event.text);
    else {
      this.finishResult(event.kind === 'prompt' && event.exitCode !== 0);
      this.isFlooding = false;
      if (event.kind === 'prompt') this.currentDirectory = event.directory;
      this.listener.onPrompt(event.kind === 'prompt' ? this.promptText : '> ');
    }
  }

  private onStarting(event: ShellEvent): void {
    if (event.kind !== 'prompt') return;
    if (this.preparationsLeft > 0) {
      const next = this.profile.preparation[this.profile.preparation.length - this.preparationsLeft--];
      this.terminal.write(`${next}${this.profile.enter}`);
      return;
    }
    this.state = 'ready';
    this.currentDirectory = event.directory;
    this.settleStart();
  }

  private collect(text: string): void {
    if (this.isFlooding) return;
    this.printed += text;
    if (this.printed.length <= MAX_RESULT_LENGTH) return;
    this.isFlooding = true;
    this.printed = `${this.printed.slice(0, MAX_RESULT_LENGTH)}\n[The command printed more than 1 MiB and was interrupted. The rest is left out.]\n`;
    this.finishResult(true);
    this.terminal.write(INTERRUPT);
  }

  private finishResult(failed: boolean): void {
    const text = this.printed;
    this.printed = '';
    if (text !== '') this.listener.onResult(text, failed);
  }

  private onExit(): void {
    const wasReady = this.state === 'ready';
    this.state = 'ended';
    this.settleStart(new Error(`${this.profile.file} ended at once.`));
    if (!wasReady) return;
    this.finishResult(false);
    this.listener.onExit();
  }
}
