import { open, type FileHandle } from 'node:fs/promises';

import { hasCode } from '../../../platform/common/errors/system-error.js';
import type { ForwardedLine } from '../forwarded-line.js';
import type { Destination } from './destination.js';

/** Mode of a file that is created: programs of the group may read it. */
const MODE = 0o640;
const LINE_BREAK = '\n'.charCodeAt(0);

/** Appends lines to a file, which is opened for each batch, so that other programs can rotate it at any time. */
export class FileDestination implements Destination {
  constructor(private readonly path: string) {}

  async send(lines: readonly ForwardedLine[]): Promise<void> {
    const file = (await created(this.path)) ?? (await open(this.path, 'a+'));
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

/** Creates the file; null if it exists. */
async function created(path: string): Promise<FileHandle | null> {
  try {
    const file = await open(path, 'ax+');
    // The umask does not apply to it. Some file systems, such as those of Windows, have no modes.
    await file.chmod(MODE).catch(() => undefined);
    return file;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return null;
    throw error;
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
