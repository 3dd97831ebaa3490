import { homedir } from 'node:os';
import { parse } from 'node:path';
import { TerminalMode, TerminalOutputKind, Timestamp, type TerminalInputDto, type TerminalOutputDto } from '#libs/contracts';
import type { Log } from '../logs/log.js';
import { AGENT_VERSION } from '../version.js';
import { FIRST_LOOKS } from '../files/first-looks.js';
import { LineShell, type LineShellListener } from './line-shell.js';
import { OutputQueue } from './output-queue.js';
import { DEFAULT_SIZE, RawShell, type TerminalSize } from './raw-shell.js';

/** Passes an output on to the viewer with the connection id. */
export type SendOutput = (viewerConnectionId: string, output: TerminalOutputDto) => Promise<void>;

/** One terminal of a viewer: a line-mode shell, or after the first raw input an interactive one. */
export class TerminalSession {
  private readonly queue: OutputQueue<TerminalOutputDto>;
  private shell: LineShell | RawShell | undefined;
  /** Inputs are handled in order, each after the previous one has its shell. */
  private lastStep: Promise<void> = Promise.resolve();
  private stepsUnderWay = 0;
  private size: TerminalSize = DEFAULT_SIZE;
  private isClosed = false;

  constructor(
    private readonly terminalId: string,
    private viewerConnectionId: string,
    sendOutput: SendOutput,
    log: Log,
    private readonly onActivity: () => void,
  ) {
    this.queue = new OutputQueue(
      async (output) => sendOutput(this.viewerConnectionId, output),
      (earlier, later) => earlier.mode === TerminalMode.Raw && later.mode === TerminalMode.Raw,
      (isCongested) => (isCongested ? this.shell?.pause() : this.shell?.resume()),
      log,
    );
  }

  /** The directory in which paths are completed: that of the line-mode shell. */
  get directory(): string | undefined {
    return this.shell instanceof LineShell ? this.shell.directory : undefined;
  }

  /** Outputs go to this viewer from now on. */
  bind(viewerConnectionId: string): void {
    this.viewerConnectionId = viewerConnectionId;
  }

  /** Starts the line-mode shell unless one runs, and sends the version line and the prompt. */
  async open(): Promise<void> {
    return this.inOrder(async () => {
      if (this.shell === undefined) await this.startLineShell();
    });
  }

  /** Resolves when the input has been accepted, which is before the command ends. Throws when it is refused. */
  async input(dto: TerminalInputDto): Promise<void> {
    return this.inOrder(async () => {
      if (dto.mode === TerminalMode.Raw) await this.typeRaw(dto);
      else await this.typeLine(dto.input);
    });
  }

  close(): void {
    this.isClosed = true;
    this.shell?.kill();
    this.shell = undefined;
  }

  /** True while a shell is being started, or an input handed to it. */
  get isBusy(): boolean {
    return this.stepsUnderWay > 0;
  }

  private async inOrder(step: () => Promise<void>): Promise<void> {
    this.stepsUnderWay += 1;
    const done = this.lastStep.then(async () => {
      this.requireOpen();
      await step();
    });
    this.lastStep = done
      .catch(() => undefined)
      .finally(() => {
        this.stepsUnderWay -= 1;
      });
    return done;
  }

  private requireOpen(): void {
    if (this.isClosed) throw new Error('The terminal session has ended.');
  }

  private async typeLine(line: string): Promise<void> {
    const shell = this.shell instanceof LineShell ? this.shell : await this.startLineShell();
    shell.type(line);
  }

  private async typeRaw(dto: TerminalInputDto): Promise<void> {
    this.size = { columns: dto.columns ?? this.size.columns, rows: dto.rows ?? this.size.rows };
    const shell = this.shell instanceof RawShell ? this.shell : await this.startRawShell();
    shell.resize(this.size);
    if (dto.input !== '') shell.type(dto.input);
  }

  private async startLineShell(): Promise<LineShell> {
    const directory = await startDirectory();
    this.requireOpen();
    this.shell?.kill();
    const listener: LineShellListener = {
      onResult: (text, failed) => this.print(text, failed ? TerminalOutputKind.StandardError : TerminalOutputKind.StandardOutput),
      onPrompt: (text) => this.print(text),
      onExit: () => this.onShellExit(shell, 'The shell has ended. The next command starts a new one.\n', {}),
    };
    const shell = new LineShell(listener, directory);
    this.shell = shell;
    try {
      await shell.start();
    } catch (error) {
      this.shell = undefined;
      throw error;
    }
    this.push(`Device agent ${AGENT_VERSION}, ${shell.file}\n`, { supportsRaw: true });
    this.print(shell.promptText);
    this.pauseIfFull(shell);
    return shell;
  }

  private async startRawShell(): Promise<RawShell> {
    const directory = await startDirectory();
    this.requireOpen();
    this.shell?.kill();
    const raw = { mode: TerminalMode.Raw } as const;
    const shell: RawShell = new RawShell(
      this.size,
      directory,
      (text) => {
        this.onActivity();
        this.push(text, raw);
      },
      () => this.onShellExit(shell, '\r\n[The shell has ended. A key starts a new one.]\r\n', raw),
    );
    this.shell = shell;
    this.pauseIfFull(shell);
    return shell;
  }

  /** A shell that takes the place of one whose output waits must not add to it without limit. */
  private pauseIfFull(shell: LineShell | RawShell): void {
    if (this.queue.isFull) shell.pause();
  }

  private onShellExit(shell: LineShell | RawShell, farewell: string, extra: Partial<TerminalOutputDto>): void {
    // The end of a shell that was replaced or closed is not reported.
    if (this.shell !== shell) return;
    this.shell = undefined;
    this.push(farewell, extra);
  }

  private print(output: string, outputKind: TerminalOutputKind = TerminalOutputKind.StandardOutput): void {
    this.push(output, { outputKind });
  }

  private push(output: string, extra: Partial<TerminalOutputDto>): void {
    if (this.isClosed || output === '') return;
    this.queue.push({
      terminalId: this.terminalId,
      output,
      outputKind: TerminalOutputKind.StandardOutput,
      timestamp: Timestamp.fromDate(new Date()),
      ...extra,
    });
  }
}

/** The home of the agent's account; the root where it has none, or one that does not answer. */
async function startDirectory(): Promise<string> {
  const home = homedir();
  const stats = await FIRST_LOOKS.statusAt(home).catch(() => undefined);
  return stats?.isDirectory() === true ? home : parse(process.cwd()).root;
}
