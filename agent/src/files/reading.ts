import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FILE_CHUNK_BYTES } from '#libs/contracts';
import { reasonOf, RefusedError } from '../failures.js';

/** Largest size, in bytes, that says nothing: every file of /proc has 0, every one of /sys a page. The contents are read to know it. */
const NOMINAL_BYTES = 4096;
/** Contents up to this size are kept in memory, so that they can be sent when the disk is full. */
const MEMORY_BYTES = 64 * 1024;
/** Most bytes of a file that does not tell its size. Some of /proc never end. */
const MAX_UNTOLD_BYTES = 64 * 1024 * 1024;

/** Contents of an open file, of a size that does not change. `close` must always be called. */
export interface Contents {
  readonly size: number;
  /** In pieces of one message each. They share one buffer: a piece is valid until the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>;
  stream(): Readable;
  close(): Promise<void>;
}

/** The contents of a file that tells its size. Bytes that are appended later are left out. */
export async function sizedContents(file: FileHandle): Promise<Contents> {
  const { size } = await file.stat();
  return contentsOfSize(file, size);
}

/**
 * The contents of any file. Those of a file that may not tell its size are read at once: into memory, or into a file in
 * `temporaryFolder`.
 * @throws RefusedError when such a file cannot be read or is too large
 */
export async function fileContents(file: FileHandle, temporaryFolder: string): Promise<Contents> {
  const { size } = await file.stat();
  if (size > NOMINAL_BYTES) return contentsOfSize(file, size);
  try {
    // Files of /sys hold less than they tell, never more.
    const head = Buffer.allocUnsafe(size === 0 ? MEMORY_BYTES : size);
    const length = await fill(file, head, 0);
    return size > 0 || length < head.length ? contentsInMemory(head.subarray(0, length)) : await copied(file, head, temporaryFolder);
  } finally {
    await file.close();
  }
}

/**
 * Reads `size` bytes of a file in pieces of one message each. All pieces share one buffer: a piece is valid until the next one is
 * requested. Throws when the file has become shorter; appended bytes are left out.
 */
export async function* fileChunks(file: FileHandle, size: number): AsyncIterable<Uint8Array> {
  const buffer = new Uint8Array(FILE_CHUNK_BYTES);
  for (let position = 0; position < size;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - position), position);
    if (bytesRead === 0) throw new Error('The file became shorter while it was being read.');
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function contentsOfSize(file: FileHandle, size: number): Contents {
  return {
    size,
    chunks: () => fileChunks(file, size),
    stream: () => (size === 0 ? Readable.from([]) : file.createReadStream({ start: 0, end: size - 1 })),
    close: async () => file.close(),
  };
}

function contentsInMemory(bytes: Buffer): Contents {
  return {
    size: bytes.length,
    async *chunks() {
      for (let start = 0; start < bytes.length; start += FILE_CHUNK_BYTES) yield bytes.subarray(start, start + FILE_CHUNK_BYTES);
    },
    stream: () => Readable.from(bytes.length === 0 ? [] : [bytes]),
    close: async () => undefined,
  };
}

/** Copies a file, of which `buffer` holds the beginning, into one without a name that vanishes when it is closed. */
async function copied(file: FileHandle, buffer: Buffer, temporaryFolder: string): Promise<Contents> {
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  const path = join(temporaryFolder, randomUUID());
  const copy = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let size = 0;
    for (let length = buffer.length; length > 0; length = await fill(file, buffer, size)) {
      size += length;
      if (size > MAX_UNTOLD_BYTES) throw new RefusedError(`The file does not tell its size and has more than ${MAX_UNTOLD_BYTES} bytes.`);
      await copy.writeFile(buffer.subarray(0, length));
    }
    return contentsOfSize(copy, size);
  } catch (error) {
    await copy.close();
    throw error;
  }
}

/** Reads from a position on until the buffer is full or the file ends. Returns the number of bytes read. */
async function fill(file: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let length = 0;
  try {
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, position + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
  } catch (error) {
    // Some files of /proc can be opened but not read.
    throw new RefusedError(reasonOf(error), { cause: error });
  }
  return length;
}
