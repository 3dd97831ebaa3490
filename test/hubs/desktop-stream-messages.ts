import { readFileSync } from 'node:fs';

import { decode, encode } from '@msgpack/msgpack';

/* The messages of remote control sessions as other programs write and read them: without the library of this project. */

/** A message of the desktop stream as it travels. */
export interface WireMessage {
  readonly type: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly time: bigint;
  readonly bytes: Buffer;
}

interface Vector {
  readonly name: string;
  readonly dtoType: number;
  readonly message: string;
}

const FILE = new URL('../../libs/desktop-stream/src/fixtures/desktop-stream-vectors.json', import.meta.url);

/** The bytes of each message as the existing system writes them, by name. */
export const vectorBytes: ReadonlyMap<string, Buffer> = new Map(
  (JSON.parse(readFileSync(FILE, 'utf8')) as { readonly vectors: readonly Vector[] }).vectors.map(({ name, message }) => [
    name,
    Buffer.from(message, 'hex'),
  ]),
);

/** The bytes of a message of the existing system. */
export function vector(name: string): Buffer {
  const bytes = vectorBytes.get(name);
  if (bytes === undefined) throw new Error(`There is no vector of ${name}.`);
  return bytes;
}

/** Writes a message with any payload. */
export function write(type: number, payload: unknown, time: bigint = 1n): Buffer {
  return Buffer.from(
    encode({ DtoType: type, Payload: encode(payload, { useBigInt64: true }), SendTimestamp: time }, { useBigInt64: true }),
  );
}

/** Reads a message. */
export function read(bytes: Buffer): WireMessage {
  const frame = decode(bytes, { useBigInt64: true }) as {
    readonly DtoType: number;
    readonly Payload: Uint8Array;
    readonly SendTimestamp: unknown;
  };
  const payload = decode(frame.Payload, { useBigInt64: true }) as Readonly<Record<string, unknown>>;
  return { type: frame.DtoType, payload, time: BigInt(frame.SendTimestamp as number), bytes };
}
