import { open, rm, type FileHandle } from 'node:fs/promises';

import { hasCode } from '../../platform/common/errors/system-error.js';
import type { SpoolPlace } from './spool-room.js';

/** Bytes that may wait in memory for a prompt reader before the sender has to. */
const FOR_PROMPT_READER = 262_144;
/** Bytes that wait in memory before others wait in a file. */
const IN_MEMORY = 1_048_576;
/** The oldest of them, which stay there when the others are written to the file. */
const KEPT_IN_MEMORY = IN_MEMORY / 2;
/** The most bytes that are read from the file at once. */
const READ_SIZE = 262_144;
/** The most pieces that are written at once. The system takes no more. */
const WRITTEN_AT_ONCE = 1_024;
/** Bytes that a reader takes before it counts as prompt again. */
const PROMPT_AGAIN = 16 * 1_048_576;
/** While a prompt reader empties the file, it takes this number of bytes for each byte that the sender adds. */
const CATCH_UP = 2;

/** Pieces in memory, first come, first served. */
class Pieces {
  private readonly pieces: Uint8Array[] = [];
  /** Their bytes. */
  size = 0;

  push(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.size += piece.length;
  }

  shift(): Uint8Array | undefined {
    const piece = this.pieces.shift();
    this.size -= piece?.length ?? 0;
    return piece;
  }

  takeAll(): Uint8Array[] {
    this.size = 0;
    return this.pieces.splice(0);
  }

  /** Moves pieces, but not the last one, behind others until these have so many bytes. */
  moveTo(others: Pieces, bytes: number): void {
    while (others.size < bytes && this.pieces.length > 1) others.push(this.shift()!);
  }
}

/**
 * Bytes that wait for a reader, first come, first served. The sender waits for a prompt reader. Once the reader is slow, the sender goes
 * ahead: some bytes wait in memory, the rest in a file, and the sender has to wait only while there is no room for more. When the reader
 * is prompt again, the file becomes empty and its room is given back. One may put and one may take at the same time.
 */
export class WaitingBytes {
  /** In memory, older than those in the file. */
  private readonly older = new Pieces();
  /** In memory, younger than those in the file. */
  private readonly younger = new Pieces();
  private file: FileHandle | undefined;
  /** Largest size of the file since it was made or given back, and so its share of the room. */
  private fileSize = 0;
  /** The bytes of the file that wait: from here ... */
  private readFrom = 0;
  /** ... to here. */
  private writtenTo = 0;
  /** A change of the file by the sender. */
  private storing: Promise<void> | undefined;
  private isReaderSlow = false;
  /** Bytes taken since the reader was slow. */
  private takenPromptly = 0;
  /** Bytes taken since others were written to the file. */
  private takenSinceWrite = 0;
  /** There was no room for more in the file, and nothing was taken since. */
  private isRefused = false;
  private isClosed = false;
  private hasEnded = false;
  private failure: unknown;
  private waiters: (() => void)[] = [];

  /** @param path of a file that does not exist. It is made when it is needed, in the place's room */
  constructor(
    private readonly path: string,
    private readonly place: SpoolPlace,
  ) {}

  /** The reader keeps its bytes for long: the sender need not wait for it, until it has taken many without another call of this. */
  readerIsSlow(): void {
    this.isReaderSlow = true;
    this.takenPromptly = 0;
    this.changed();
  }

  /** Adds bytes. Settles when they are stored, which may be after the reader has made room. After {@link close} they are dropped. */
  async put(piece: Uint8Array): Promise<void> {
    while (!this.isClosed) {
      if (this.isFileSpare) await this.store(this.giveFileBack());
      else if (this.hasRoomInMemory) {
        this.younger.push(piece);
        return this.changed();
      } else if (this.mayWrite) await this.store(this.write());
      else await this.change();
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
      const piece = this.older.shift() ?? (this.file === undefined || this.isFileEmpty ? this.younger.shift() : await this.read(this.file));
      if (piece !== undefined) {
        this.noteTaken(piece.length);
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
    await this.storing?.catch(() => undefined);
    if (this.file !== undefined) {
      await this.file.close();
      await rm(this.path, { force: true });
    }
    this.place.leave();
  }

  private get isFileEmpty(): boolean {
    return this.readFrom === this.writtenTo;
  }

  /** True if the file takes room that is not needed any more. */
  private get isFileSpare(): boolean {
    return this.fileSize > 0 && this.isFileEmpty && !this.isReaderSlow;
  }

  private get hasRoomInMemory(): boolean {
    const room = this.isReaderSlow || !this.isFileEmpty ? IN_MEMORY : FOR_PROMPT_READER;
    return this.older.size + this.younger.size < room;
  }

  private get mayWrite(): boolean {
    if (this.isRefused || this.younger.size === 0) return false;
    return this.isReaderSlow || (!this.isFileEmpty && this.takenSinceWrite >= CATCH_UP * this.younger.size);
  }

  private noteTaken(bytes: number): void {
    this.isRefused = false;
    this.takenSinceWrite += bytes;
    this.takenPromptly += bytes;
    if (this.takenPromptly >= PROMPT_AGAIN) this.isReaderSlow = false;
    this.changed();
  }

  private async store(storing: Promise<void>): Promise<void> {
    this.storing = storing;
    try {
      await storing;
    } finally {
      this.storing = undefined;
    }
  }

  /** Writes the younger bytes behind those of the file, if there is room for them. */
  private async write(): Promise<void> {
    if (this.isFileEmpty) {
      this.readFrom = this.writtenTo = 0;
      this.younger.moveTo(this.older, KEPT_IN_MEMORY);
    }
    const start = this.writtenTo;
    const more = start + this.younger.size - this.fileSize;
    if (more > 0) {
      if ((await this.place.take(more)) !== null) {
        this.isRefused = true;
        return;
      }
      this.fileSize += more;
    }
    this.takenSinceWrite = 0;
    const pieces = this.younger.takeAll();
    try {
      this.file ??= await open(this.path, 'wx+', 0o600);
      this.writtenTo = await writeAll(this.file, pieces, start);
    } catch (error) {
      if (!hasCode(error, 'ENOSPC', 'EDQUOT')) throw error;
      for (const piece of pieces) this.younger.push(piece);
      this.isRefused = true;
    }
    this.changed();
  }

  private async read(file: FileHandle): Promise<Uint8Array> {
    const piece = Buffer.allocUnsafe(Math.min(READ_SIZE, this.writtenTo - this.readFrom));
    const { bytesRead } = await file.read(piece, 0, piece.length, this.readFrom);
    if (bytesRead === 0) throw new Error('The file of waiting bytes has become shorter.');
    this.readFrom += bytesRead;
    return piece.subarray(0, bytesRead);
  }

  private async giveFileBack(): Promise<void> {
    this.readFrom = this.writtenTo = 0;
    await this.file?.truncate();
    this.fileSize = 0;
    this.place.leave();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  private changed(): void {
    for (const wake of this.waiters.splice(0)) wake();
  }
}

/** Writes all pieces, from there on. @returns the position behind them */
async function writeAll(file: FileHandle, pieces: readonly Uint8Array[], start: number): Promise<number> {
  let at = start;
  for (let rest = pieces; rest.length > 0;) {
    const { bytesWritten } = await file.writev(rest.slice(0, WRITTEN_AT_ONCE), at);
    at += bytesWritten;
    rest = behind(rest, bytesWritten);
  }
  return at;
}

/** The pieces without their first bytes. */
function behind(pieces: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes;
  const at = pieces.findIndex(({ length }) => {
    if (length > left) return true;
    left -= length;
    return false;
  });
  return at === -1 ? [] : [pieces[at].subarray(left), ...pieces.slice(at + 1)];
}
