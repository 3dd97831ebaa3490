import type { Memory } from '../wire/memory.js';

/** The memory of Node.js. */
export const bufferMemory: Memory<Buffer> = {
  allocate: (size) => Buffer.allocUnsafeSlow(size),
  part: (bytes, start, end) => bytes.subarray(start, end),
  roomFor: (text) => Buffer.byteLength(text),
  write: (text, bytes, position) => bytes.write(text, position, 'utf8'),
};
