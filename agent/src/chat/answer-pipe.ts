import { constants, openSync } from 'node:fs';
import { chmod, chown, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { runCommand } from '../commands.js';
import { MAX_CHAT_LENGTH } from './chat-text.js';

/** The owner may write, and nobody may read. */
const OWNER_WRITES = 0o200;

/**
 * A named pipe that one account of this machine can write answers to, one a line. The system itself checks who writes. While an answer
 * is handled, further writers wait.
 */
export class AnswerPipe {
  private constructor(
    readonly path: string,
    private readonly socket: Socket,
  ) {}

  /** Makes the pipe, in a folder that other accounts cannot change. `onAnswer` must not throw. */
  static async open(path: string, uid: number, onAnswer: (answer: string) => Promise<void>): Promise<AnswerPipe> {
    await runCommand(['mkfifo', '-m', '600', path]);
    try {
      // Opened for writing as well, so that the end of one writer is not the end of the pipe. The socket closes it.
      const socket = new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), readable: true, writable: false });
      const pipe = new AnswerPipe(path, socket);
      void pipe.read(onAnswer);
      await chmod(path, OWNER_WRITES);
      if (uid !== process.getuid?.()) await chown(path, uid, process.getgid?.() ?? 0);
      return pipe;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    this.socket.destroy();
    await rm(this.path, { force: true });
  }

  private async read(onAnswer: (answer: string) => Promise<void>): Promise<void> {
    let rest = '';
    this.socket.setEncoding('utf8');
    try {
      for await (const text of this.socket) {
        const lines = (rest + String(text)).split('\n');
        rest = lines.pop() ?? '';
        // A line without an end is handed on before it grows, so that memory stays small.
        if (rest.length >= MAX_CHAT_LENGTH) {
          lines.push(rest);
          rest = '';
        }
        for (const line of lines) for (const part of partsOf(line)) await onAnswer(part);
      }
    } catch {
      // The pipe was closed.
    }
  }
}

/** A line that is too long for one answer, in parts that are not. */
function partsOf(line: string): string[] {
  return Array.from({ length: Math.ceil(line.length / MAX_CHAT_LENGTH) }, (_, index) =>
    line.slice(index * MAX_CHAT_LENGTH, (index + 1) * MAX_CHAT_LENGTH),
  );
}
