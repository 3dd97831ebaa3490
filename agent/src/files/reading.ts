import type { FileHandle } from 'node:fs/promises';
import { FILE_CHUNK_BYTES } from '#libs/contracts';

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
