import { randomInt } from 'node:crypto';
import { Writable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { Opcode } from '#libs/signalr/wire';

import { FrameReader } from './frame-reader.js';
import { PieceWriter } from './piece-writer.js';
import { unmask, unmaskByWords } from './unmask.js';

/** Numbers that look random and are the same for the same seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A frame of a client: with a mask. */
function clientFrame(first: number, payload: Buffer, mask: Buffer): Buffer {
  const masked = Buffer.from(payload);
  for (let at = 0; at < masked.length; at += 1) masked[at] ^= mask[at % 4];
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([first, 0x80 | length]), mask, masked]);
  const long = Buffer.alloc(length < 65_536 ? 4 : 10);
  long[0] = first;
  long[1] = 0x80 | (length < 65_536 ? 126 : 127);
  if (length < 65_536) long.writeUInt16BE(length, 2);
  else long.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([long, mask, masked]);
}

/** The messages in frames of a server, each in its kind and whole. */
function messagesIn(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  let parts: Buffer[] | null = null;
  for (let at = 0; at < bytes.length;) {
    const [first, short] = bytes.subarray(at, at + 2);
    const size = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    const isShortest = size === (length < 126 ? 2 : length < 65_536 ? 4 : 10);
    const isInOrder = (first & 0x0f) === (parts === null ? Opcode.Binary : Opcode.Continuation);
    if ((short & 0x80) !== 0 || (first & 0x70) !== 0 || !isShortest || !isInOrder) throw new Error(`Not a frame of a server, at ${at}.`);
    parts = [...(parts ?? []), bytes.subarray(at + size, at + size + length)];
    if ((first & 0x80) !== 0) {
      messages.push(Buffer.concat(parts));
      parts = null;
    }
    at += size + length;
  }
  expect(parts).toBeNull();
  return messages;
}

/** Passes the chunks of a client through reader and writer. */
function passOn(chunks: readonly Buffer[]): { readonly sent: Buffer; readonly controls: string[]; readonly writes: number } {
  const written: Buffer[] = [];
  // Written bytes must not change afterwards, so they are copied only at the end of each chunk.
  const pending: Buffer[] = [];
  const socket = new Writable({ highWaterMark: 1e9, write: (bytes: Buffer, _encoding, done) => (pending.push(bytes), done()) });
  const writer = new PieceWriter(socket);
  const controls: string[] = [];
  const reader = new FrameReader({
    piece: (_bytes, start, end, isFirst, isLast) => writer.piece(start, end, isFirst, isLast),
    control: (opcode, payload) => controls.push(`${opcode} ${payload.toString('hex')}`),
  });
  let writes = 0;
  for (const chunk of chunks) {
    writer.begin(chunk);
    reader.read(chunk);
    writer.end();
    writes += pending.length;
    for (const bytes of pending.splice(0)) written.push(Buffer.from(bytes));
  }
  return { sent: Buffer.concat(written), controls, writes };
}

const SEEDS = [20_251_122, randomInt(2 ** 31)];

describe('frames that pass through', () => {
  it.each(SEEDS)('carry the same messages, however they are cut (seed %d)', (seed) => {
    const random = randomFrom(seed);
    const bytesOf = (length: number): Buffer => {
      const bytes = Buffer.allocUnsafe(length);
      for (let at = 0; at < length; at += 1) bytes[at] = random(256);
      return bytes;
    };
    for (let round = 0; round < 100; round += 1) {
      const messages: Buffer[] = [];
      const controls: string[] = [];
      const frames: Buffer[] = [];
      for (let count = random(8); count >= 0; count -= 1) {
        const sizes = [random(4), random(130), 124 + random(6), random(3000), 65_530 + random(12), random(200_000)];
        const message = bytesOf(sizes[random(random(3) === 0 ? 6 : 4)]);
        messages.push(message);
        const parts = 1 + random(4);
        for (let part = 0, from = 0; part < parts; part += 1) {
          const to = part === parts - 1 ? message.length : from + random(message.length - from + 1);
          const opcode = part === 0 ? Opcode.Text + random(2) : Opcode.Continuation;
          frames.push(clientFrame((part === parts - 1 ? 0x80 : 0) | opcode, message.subarray(from, to), bytesOf(4)));
          from = to;
          if (random(3) !== 0) continue;
          const control = bytesOf(random(126));
          controls.push(`${Opcode.Ping} ${control.toString('hex')}`);
          frames.push(clientFrame(0x80 | Opcode.Ping, control, bytesOf(4)));
        }
      }
      const stream = Buffer.concat(frames);
      const chunks: Buffer[] = [];
      // Few bytes at a time take too long where there are many.
      const most = stream.length > 20_000 ? [1000, 5000, 65_536][random(3)] : [1, 3, 100, 5000][random(4)];
      for (let at = 0; at < stream.length;) {
        const length = 1 + random(most);
        chunks.push(Buffer.from(stream.subarray(at, at + length)));
        at += length;
      }
      const passed = passOn(chunks);
      expect(passed.controls).toEqual(controls);
      const received = messagesIn(passed.sent);
      expect(received.length).toBe(messages.length);
      expect(received.every((message, at) => message.equals(messages[at]))).toBe(true);
    }
  });

  it('leave in one write when a chunk holds many small ones, and without a copy when it holds a large one', () => {
    const mask = Buffer.from([1, 2, 3, 4]);
    const small = Buffer.concat(Array.from({ length: 1000 }, () => clientFrame(0x82, Buffer.from('key'), mask)));
    expect(passOn([small]).writes).toBe(1);
    const large = clientFrame(0x82, Buffer.alloc(60_000, 7), mask);
    expect(passOn([large]).writes).toBe(1);
    // The payload keeps its place; its new header ends where it begins.
    expect(large.subarray(4, 6)).toEqual(Buffer.from([0x82, 126]));
    expect(large.subarray(8).every((byte) => byte === 7)).toBe(true);
  });
});

describe('a mask', () => {
  it('is removed in place, wherever the bytes are', () => {
    const random = randomFrom(SEEDS[1]);
    for (const remove of [unmask, unmaskByWords]) {
      for (let round = 0; round < 2000; round += 1) {
        const buffer = Buffer.from(Array.from({ length: 300 }, () => random(256)));
        const expected = Buffer.from(buffer);
        const start = random(20);
        const end = start + random(280);
        const mask = Buffer.from([random(256), random(256), random(256), random(256)]);
        for (let at = start; at < end; at += 1) expected[at] ^= mask[(at - start) % 4];
        remove(buffer.subarray(start, end), mask);
        expect(buffer.equals(expected)).toBe(true);
      }
    }
  });
});
