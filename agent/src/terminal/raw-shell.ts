import { spawn, type IPty } from '@lydell/node-pty';
import { endShell } from './end-shell.js';
import { readTerminal } from './read-terminal.js';
import { rawShell, shellEnvironment } from './shells.js';

const MAX_DIMENSION = 1000;

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export const DEFAULT_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** An interactive shell on a PTY: keys go in, and its output comes out immediately and unchanged. */
export class RawShell {
  private readonly pty: IPty;
  private hasEnded = false;

  constructor(size: TerminalSize, directory: string, onData: (text: string) => void, onExit: () => void) {
    const { columns, rows } = clamped(size);
    this.pty = spawn(rawShell(), process.platform === 'win32' ? [] : ['-i'], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: directory,
      env: shellEnvironment(),
    });
    readTerminal(this.pty, onData);
    this.pty.onExit(() => {
      this.hasEnded = true;
      onExit();
    });
  }

  type(keys: string): void {
    this.pty.write(keys);
  }

  resize(size: TerminalSize): void {
    const { columns, rows } = clamped(size);
    if (!this.hasEnded && (columns !== this.pty.cols || rows !== this.pty.rows)) this.pty.resize(columns, rows);
  }

  pause(): void {
    this.pty.pause();
  }

  resume(): void {
    this.pty.resume();
  }

  kill(): void {
    if (!this.hasEnded) endShell(this.pty);
  }
}

function clamped({ columns, rows }: TerminalSize): TerminalSize {
  const clamp = (value: number): number => Math.min(MAX_DIMENSION, Math.max(1, value));
  return { columns: clamp(columns), rows: clamp(rows) };
}
