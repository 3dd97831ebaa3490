import { open, type FileHandle } from 'node:fs/promises';

import type { ForwardedLine } from '../forwarded-line.js';
import type { Destination } from './destination.js';

/** Mode of a file that is created: programs of the group may read it. */
const MODE = 0o640;
const LINE_BREAK = '\n'.charCodeAt(0);

/** Appends lines to a file, which is opened for each batch, so that other programs can rotate it at any time. */
export class FileDestination implements Destination {
  constructor(private readonly path: string) {}

  async send(lines: readonly ForwardedLine[]): Promise<void> {
    const file = await open(this.path, 'a+', MODE);
    try {
      // A crash or a full disk may have left half a line, which must not spoil the next one.
      const start = (await endsWithinLine(file)) ? '\n' : '';
      await file.appendFile(start + lines.map(({ text }) => `${text}\n`).join(''));
      await file.datasync();
    } finally {
      await file.close();
    }
  }
}

async function endsWithinLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== LINE_BREAK;
}

/** Writes lines to the standard output of the process, between those of its own log. */
export class StandardOutput implements Destination {
  async send(lines: readonly ForwardedLine[]): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(lines.map(({ text }) => `${text}\n`).join(''), (error) => (error ? reject(error) : resolve()));
    });
  }
}
