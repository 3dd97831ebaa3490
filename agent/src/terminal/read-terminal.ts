import { readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { IPty } from '@lydell/node-pty';

const PIECE_BYTES = 64 * 1024;

/** Members that the package has on all systems but Windows. It does not name them in its types. */
interface UnixTerminal {
  readonly fd?: number;
  on?(event: 'end', listener: () => void): void;
}

/**
 * Calls the listener with everything that programs print on a terminal.
 *
 * Node.js 20 takes a terminal whose programs have ended for read to its end, though the system has some thousand bytes more. A character of
 * several bytes on that border is lost.
 */
export function readTerminal(pty: IPty & UnixTerminal, onText: (text: string) => void): void {
  pty.onData(onText);
  const { fd } = pty;
  if (process.platform === 'win32' || fd === undefined) return;
  pty.on?.('end', () => {
    const decoder = new StringDecoder('utf8');
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    try {
      for (let length = readSync(fd, piece); length > 0; length = readSync(fd, piece)) onText(decoder.write(piece.subarray(0, length)));
    } catch {
      // Reading fails when nothing is left.
    }
  });
}
