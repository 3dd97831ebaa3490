import { readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';
import { spawn, type IPty, type IPtyForkOptions } from '@lydell/node-pty';
import { RefusedError } from '../failures.js';
import { TerminalInput } from './terminal-input.js';

const PIECE_BYTES = 64 * 1024;
/** Most bytes that are read after the end of a shell. The system keeps less; but a program may open the terminal again, and print on it. */
const MAX_REST_BYTES = 4 * PIECE_BYTES;

/** Members that the package has on all systems but Windows. It does not name them in its types. */
interface UnixTerminal extends IPty {
  readonly fd: number;
  readonly _socket: ReadStream;
  setEncoding(encoding: BufferEncoding): void;
  destroy(): void;
}

export interface TerminalListener {
  onText(text: string): void;
  /** The shell has ended. All that was printed on its terminal has come before. */
  onExit(): void;
}

/** A shell on a terminal of its own. */
export class ShellTerminal {
  private readonly pty: IPty;
  private readonly input: TerminalInput | undefined;
  private hasEnded = false;
  private isClosed = false;

  constructor(
    file: string,
    args: string[],
    options: IPtyForkOptions,
    private readonly listener: TerminalListener,
  ) {
    this.pty = spawn(file, args, options);
    if (isUnix(this.pty)) {
      this.input = new TerminalInput(this.pty.fd);
      this.readToTheEnd(this.pty, this.input);
    } else this.pty.onData((text) => this.onText(text));
    this.pty.onExit(() => {
      this.hasEnded = true;
      listener.onExit();
    });
  }

  /** Passes on what a viewer types. Throws RefusedError while too much of it waits for a program that does not read. */
  type(keys: string): void {
    if (this.input?.isFull === true) throw new RefusedError('The program in the terminal does not read its input.');
    this.write(keys);
  }

  write(keys: string): void {
    if (this.input === undefined) this.pty.write(keys);
    else this.input.write(keys);
  }

  resize(columns: number, rows: number): void {
    if (!this.hasEnded && (columns !== this.pty.cols || rows !== this.pty.rows)) this.pty.resize(columns, rows);
  }

  pause(): void {
    this.pty.pause();
  }

  resume(): void {
    this.pty.resume();
  }

  /**
   * Closes the terminal, of which nothing is read any more, and tells the shell so. One that does not listen to that can no longer read from
   * its terminal, and ends when it tries to; a command that it runs goes on until then.
   */
  close(): void {
    if (this.hasEnded) return;
    this.isClosed = true;
    if (isUnix(this.pty)) this.pty.destroy();
    else this.pty.kill();
  }

  /**
   * The package closes the terminal 200 ms after the end of its shell, also while it is paused, and Node.js 20 takes one whose shell has
   * ended for read to its end. In both cases the system has some thousand bytes more, which are read before the terminal is closed.
   */
  private readToTheEnd(pty: UnixTerminal, input: TerminalInput): void {
    const decoder = new StringDecoder('utf8');
    // As bytes, because the first of a character may come before the end of the shell and the last after it.
    pty.setEncoding('latin1');
    pty.onData((bytes) => this.onText(decoder.write(Buffer.from(bytes, 'latin1'))));
    const socket = pty._socket;
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error) => {
      socket.destroy = destroy;
      input.close();
      if (!this.isClosed) {
        // Passes on what was read before the pause.
        socket.read();
        for (const bytes of restOf(pty.fd)) this.onText(decoder.write(bytes));
      }
      return destroy(error);
    };
  }

  private onText(text: string): void {
    if (!this.isClosed) this.listener.onText(text);
  }
}

function isUnix(pty: IPty): pty is UnixTerminal {
  return process.platform !== 'win32' && '_socket' in pty;
}

/** Everything that can be read without waiting. */
function* restOf(fd: number): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let total = 0; total < MAX_REST_BYTES;) {
    let length = 0;
    try {
      length = readSync(fd, piece);
    } catch {
      // Reading fails when nothing is left.
    }
    if (length === 0) return;
    total += length;
    yield piece.subarray(0, length);
  }
}
