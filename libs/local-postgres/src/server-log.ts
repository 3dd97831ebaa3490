import { copyFile, open, stat, truncate } from 'node:fs/promises';

/** The size in bytes at which the server's log file is rotated. */
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;

/** Interval of the checks of the size, in milliseconds. */
const CHECK_INTERVAL_MS = 30_000;

/** The part of the log that an error message shows. */
const TAIL_BYTES = 8 * 1024;
const TAIL_LINES = 20;

/**
 * The log file of the server. The server writes to the file itself and not to a pipe, so that it can go on when this process
 * dies. One older file with the suffix `.1` is kept.
 */
export class ServerLog {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly path: string,
    private readonly limitBytes = LOG_LIMIT_BYTES,
  ) {}

  /** Opens the file for a server process that will append to it. `size` is its present size in bytes. */
  async openForServer(): Promise<{ descriptor: number; size: number; close(): Promise<void> }> {
    await this.keepWithinLimit();
    const file = await open(this.path, 'a', 0o640);
    return { descriptor: file.fd, size: (await file.stat()).size, close: () => file.close() };
  }

  /** Checks the size regularly until `stopWatching`. */
  watchSize(onError: (error: unknown) => void): void {
    this.stopWatching();
    this.timer = setInterval(() => void this.keepWithinLimit().catch(onError), CHECK_INTERVAL_MS);
    this.timer.unref();
  }

  stopWatching(): void {
    clearInterval(this.timer);
  }

  /** Rotates the file when it has reached the limit: copies and empties it. The server appends, so it goes on at the new end. */
  async keepWithinLimit(): Promise<void> {
    const file = await stat(this.path).catch(() => undefined);
    if (!file || file.size < this.limitBytes) return;
    await copyFile(this.path, `${this.path}.1`);
    await truncate(this.path);
  }

  /** The last lines after a position in the file, at most 20. Empty when there is no file. */
  async lastLines(since = 0): Promise<string> {
    const file = await open(this.path, 'r').catch(() => undefined);
    if (!file) return '';
    try {
      const { size } = await file.stat();
      const begin = Math.max(since <= size ? since : 0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, begin);
      return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-TAIL_LINES).join('\n');
    } finally {
      await file.close();
    }
  }
}
