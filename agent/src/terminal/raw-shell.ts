import { ShellTerminal } from './shell-terminal.js';
import { rawShell, shellEnvironment } from './shells.js';

const MAX_DIMENSION = 1000;

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export const DEFAULT_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** An interactive shell on a PTY: keys go in, and its output comes out immediately and unchanged. */
export class RawShell {
  private readonly terminal: ShellTerminal;

  constructor(size: TerminalSize, directory: string, onData: (text: string) => void, onExit: () => void) {
    const { columns, rows } = clamped(size);
    const options = { name: 'xterm-256color', cols: columns, rows, cwd: directory, env: shellEnvironment() };
    this.terminal = new ShellTerminal(rawShell(), process.platform === 'win32' ? [] : ['-i'], options, { onText: onData, onExit });
  }

  type(keys: string): void {
    this.terminal.type(keys);
  }

  resize(size: TerminalSize): void {
    const { columns, rows } = clamped(size);
    this.terminal.resize(columns, rows);
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
}

function clamped({ columns, rows }: TerminalSize): TerminalSize {
  const clamp = (value: number): number => Math.min(MAX_DIMENSION, Math.max(1, value));
  return { columns: clamp(columns), rows: clamp(rows) };
}
