import { open, rm, type FileHandle } from 'node:fs/promises';

import { hasCode } from '../../platform/common/errors/system-error.js';
import type { SpoolPlace } from './spool-room.js';

/** Bytes that wait in memory before others wait in a file. */
const IN_MEMORY = 1_048_576;
/** The most bytes that are read from the file at once. */
const READ_SIZE = 65_536;

/**
 * Bytes that wait for a slow reader, first come, first served: some in memory, the rest in a file. The sender has to wait while
 * there is no room for more. One may put and one may take at the same time.
 */
export class WaitingBytes {
  private readonly pieces: Uint8Array[] = [];
  private inMemory = 0;
  private file: FileHandle | undefined;
  /** Largest size of the file so far, and so its share of the room; when it is empty it is filled again from its start. */
  private fileSize = 0;
  /** The bytes of the file that wait: from here ... */
  private readFrom = 0;
  /** ... to here. They are younger than those in memory. */
  private writtenTo = 0;
  private writing: Promise<boolean> | undefined;
  private isClosed = false;
  private hasEnded = false;
  private failure: unknown;
  private changes = 0;
  private waiters: (() => void)[] = [];

  /** @param path of a file that does not exist. It is made when it is needed, in the place's room */
  constructor(
    private readonly path: string,
    private readonly place: SpoolPlace,
  ) {}

  /** Adds bytes. Settles when they are stored, which may be after the reader has made room. After {@link close} they are dropped. */
  async put(piece: Uint8Array): Promise<void> {
    while (!this.isClosed) {
      if (this.isFileEmpty && this.inMemory < IN_MEMORY) {
        this.pieces.push(piece);
        this.inMemory += piece.length;
        return this.changed();
      }
      const before = this.changes;
      this.writing = this.write(piece);
      const isWritten = await this.writing;
      this.writing = undefined;
      if (isWritten) return this.changed();
      if (this.changes === before) await this.change();
    }
  }

  /** No more bytes will come: all have, or something has failed, which the reader learns behind the bytes. */
  end(failure?: unknown): void {
    this.hasEnded = true;
    this.failure = failure;
    this.changed();
  }

  /** The oldest bytes; waits until there are some. Null behind the last ones. */
  async take(): Promise<Uint8Array | null> {
    for (;;) {
      const piece = this.takeFromMemory() ?? (this.file === undefined || this.isFileEmpty ? undefined : await this.read(this.file));
      if (piece !== undefined) {
        this.changed();
        return piece;
      }
      if (this.hasEnded) break;
      await this.change();
    }
    if (this.failure !== undefined) throw this.failure;
    return null;
  }

  /** Drops everything and gives the room back. Call it when the reader has stopped. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.changed();
    await this.writing?.catch(() => undefined);
    if (this.file !== undefined) {
      await this.file.close();
      await rm(this.path, { force: true });
    }
    this.place.leave();
  }

  private get isFileEmpty(): boolean {
    return this.readFrom === this.writtenTo;
  }

  private takeFromMemory(): Uint8Array | undefined {
    const piece = this.pieces.shift();
    this.inMemory -= piece?.length ?? 0;
    return piece;
  }

  /** Writes bytes behind those of the file. False when there is no room for them. */
  private async write(piece: Uint8Array): Promise<boolean> {
    const start = this.writtenTo;
    const more = start + piece.length - this.fileSize;
    if (more > 0) {
      if ((await this.place.take(more)) !== null) return false;
      this.fileSize += more;
    }
    try {
      this.file ??= await open(this.path, 'wx+', 0o600);
      for (let at = 0; at < piece.length;) at += (await this.file.write(piece, at, piece.length - at, start + at)).bytesWritten;
    } catch (error) {
      if (hasCode(error, 'ENOSPC', 'EDQUOT')) return false;
      throw error;
    }
    this.writtenTo = start + piece.length;
    return true;
  }

  private async read(file: FileHandle): Promise<Uint8Array> {
    const piece = Buffer.allocUnsafe(Math.min(READ_SIZE, this.writtenTo - this.readFrom));
    const { bytesRead } = await file.read(piece, 0, piece.length, this.readFrom);
    if (bytesRead === 0) throw new Error('The file of waiting bytes has become shorter.');
    this.readFrom += bytesRead;
    if (this.isFileEmpty && this.writing === undefined) this.readFrom = this.writtenTo = 0;
    return piece.subarray(0, bytesRead);
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  private changed(): void {
    this.changes += 1;
    for (const wake of this.waiters.splice(0)) wake();
  }
}
