import { createRequire } from 'node:module';

/** Below this many bytes, the call of the native function costs more than it saves. */
const NATIVE_FROM_BYTES = 128;
const WORD = 4;

/** Removes the mask from bytes, in their place. `mask` is that of the first byte. */
export type Unmask = (bytes: Buffer, mask: Buffer) => void;

/** The optional package that does it in C; not every platform has it. The variable turns it off, for the library `ws` as well. */
function nativeUnmask(): Unmask | undefined {
  if (process.env.WS_NO_BUFFER_UTIL !== undefined) return undefined;
  try {
    return (createRequire(import.meta.url)('bufferutil') as { readonly unmask: Unmask }).unmask;
  } catch {
    return undefined;
  }
}

/** Four bytes at once where they are aligned. */
export const unmaskByWords: Unmask = (bytes, mask) => {
  const { length, byteOffset, buffer } = bytes;
  const start = Math.min(length, (WORD - (byteOffset % WORD)) % WORD);
  for (let at = 0; at < start; at += 1) bytes[at] ^= mask[at % WORD];
  if (start === length) return;
  const words = new Int32Array(buffer, byteOffset + start, Math.floor((length - start) / WORD));
  const [word] = new Int32Array(Uint8Array.from({ length: WORD }, (_, at) => mask[(start + at) % WORD]).buffer);
  for (let at = 0; at < words.length; at += 1) words[at] ^= word;
  for (let at = start + words.length * WORD; at < length; at += 1) bytes[at] ^= mask[at % WORD];
};

/** For few bytes. */
const unmaskByBytes: Unmask = (bytes, mask) => {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] ^= mask[at % WORD];
};

const unmaskMany = nativeUnmask() ?? unmaskByWords;

/** Removes the mask in the fastest way available. */
export const unmask: Unmask = (bytes, mask) => (bytes.length < NATIVE_FROM_BYTES ? unmaskByBytes : unmaskMany)(bytes, mask);
