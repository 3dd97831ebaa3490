import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { withSmallDisk } from '../../../test/support/setup/small-disk.js';
import { SpoolRoom } from './spool-room.js';
import { WaitingBytes } from './waiting-bytes.js';

const PIECE = 30_720;
const MIB = 1_048_576;
const OWNER = { principalId: 'anna', share: 'contoso' };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waiting-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function promptScene(roomBytes: number, reserve = 0, path = join(folder, 'file')) {
  const room = new SpoolRoom(folder, { inAll: 2 * roomBytes, ofOnePrincipal: roomBytes, reserve }, 'uploads');
  return { room, waiting: new WaitingBytes(path, room.enter(OWNER)) };
}

/** The same, with a reader that was slow. */
function scene(...setup: Parameters<typeof promptScene>): ReturnType<typeof promptScene> {
  const made = promptScene(...setup);
  made.waiting.readerIsSlow();
  return made;
}

function piecesOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, at) => bytes.subarray(at * PIECE, (at + 1) * PIECE));
}

/** Puts pieces and their end. */
async function putAll(waiting: WaitingBytes, pieces: readonly Buffer[], onPut: () => unknown = () => undefined): Promise<void> {
  for (const piece of pieces) {
    await waiting.put(piece);
    await onPut();
  }
  waiting.end();
}

/** Takes pieces until there are so many bytes. */
async function take(waiting: WaitingBytes, bytes: number): Promise<Buffer> {
  const taken: Uint8Array[] = [];
  for (let left = bytes; left > 0; left -= taken.at(-1)!.length) taken.push((await waiting.take())!);
  return Buffer.concat(taken);
}

async function takeAll(waiting: WaitingBytes): Promise<Buffer> {
  const taken: Uint8Array[] = [];
  for (let piece = await waiting.take(); piece !== null; piece = await waiting.take()) taken.push(piece);
  return Buffer.concat(taken);
}

/** Checks that the promise has settled after the work that is under way now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  for (let turns = 0; turns < 100; turns += 1) await turn();
  return settled;
}

describe('bytes that wait', () => {
  it('are taken in their order, from memory and from the file, and leave nothing behind', async () => {
    const { room, waiting } = scene(8 * MIB);
    const bytes = randomBytes(6 * MIB);
    for (const piece of piecesOf(bytes)) await waiting.put(piece);
    expect(await readdir(folder)).toEqual(['file']);
    waiting.end();
    expect((await takeAll(waiting)).equals(bytes)).toBe(true);
    await waiting.close();
    expect(await readdir(folder)).toEqual([]);
    expect(room.take(OWNER, 8 * MIB)).toBeNull();
  });

  it.each([0, 5 * PIECE, 2 * MIB, 100 * MIB])('are the same at any speed of the two sides, in a room of %i bytes', async (roomBytes) => {
    const { room, waiting } = promptScene(roomBytes);
    const bytes = randomBytes(64 * MIB);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += pieces.at(-1)!.length) pieces.push(bytes.subarray(at, at + randomInt(1, 2 * PIECE)));
    /** Now and then some turns of the event loop, in which the other side goes on. */
    const sometimes = async (): Promise<void> => {
      if (randomInt(20) === 0) for (let turns = randomInt(10); turns > 0; turns -= 1) await turn();
      if (randomInt(1500) === 0) waiting.readerIsSlow();
    };
    const put = putAll(waiting, pieces, sometimes);
    const taken: Uint8Array[] = [];
    for (let piece = await waiting.take(); piece !== null; piece = await waiting.take()) {
      taken.push(piece);
      await sometimes();
    }
    await put;
    expect(Buffer.concat(taken).equals(bytes)).toBe(true);
    await waiting.close();
    expect(room.take(OWNER, roomBytes)).toBeNull();
  });

  it('are few while the reader is prompt, and the sender waits', async () => {
    const { waiting } = promptScene(100 * MIB);
    let stored = 0;
    const pieces = piecesOf(randomBytes(2 * MIB));
    const put = putAll(waiting, pieces, () => (stored += 1));
    expect(await isSettled(put)).toBe(false);
    expect(stored).toBe(Math.ceil(MIB / 4 / PIECE));
    expect((await takeAll(waiting)).equals(Buffer.concat(pieces))).toBe(true);
    await put;
    expect(await readdir(folder)).toEqual([]);
    await waiting.close();
  });

  it('leave the file when the reader is prompt again, while the sender goes on more slowly, and give its room back', async () => {
    const size = 48 * MIB;
    const { room, waiting } = scene(size);
    const bytes = randomBytes(size);
    const pieces = piecesOf(bytes);
    const ahead = pieces.splice(0, pieces.length / 2);
    for (const piece of ahead) await waiting.put(piece);
    const taken = [await take(waiting, 18 * MIB)];
    const put = putAll(waiting, pieces);
    expect(await isSettled(put)).toBe(false);
    while (room.take(OWNER, size) !== null) taken.push(await take(waiting, 1));
    expect((await stat(join(folder, 'file'))).size).toBe(0);
    expect(await isSettled(put)).toBe(false);
    const rest = await takeAll(waiting);
    await put;
    expect(Buffer.concat([...taken, rest]).equals(bytes)).toBe(true);
    expect((await stat(join(folder, 'file'))).size).toBe(0);
    await waiting.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['the principal has no room', 0, 0],
    ['the disk is nearly full', 100 * MIB, Number.MAX_SAFE_INTEGER],
  ])('make the sender wait when %s', async (_why, roomBytes, reserve) => {
    const { waiting } = scene(roomBytes, reserve);
    const pieces = piecesOf(randomBytes(2 * MIB));
    let stored = 0;
    const put = putAll(waiting, pieces, () => (stored += 1));
    expect(await isSettled(put)).toBe(false);
    expect(stored).toBe(Math.ceil(MIB / PIECE));
    expect((await takeAll(waiting)).equals(Buffer.concat(pieces))).toBe(true);
    await put;
    await waiting.close();
  });

  it('come before the failure of their sender', async () => {
    const { waiting } = scene(MIB);
    await waiting.put(Buffer.from('a'));
    waiting.end(new Error('The disk broke.'));
    expect(await waiting.take()).toEqual(Buffer.from('a'));
    await expect(waiting.take()).rejects.toThrow('The disk broke.');
  });

  it('are dropped when their reader has left, and the sender goes on', async () => {
    const { waiting } = scene(0);
    const put = putAll(waiting, piecesOf(randomBytes(4 * MIB)));
    expect(await isSettled(put)).toBe(false);
    await waiting.close();
    await put;
    expect(await readdir(folder)).toEqual([]);
  });

  it('are dropped while some are written, and leave nothing behind', async () => {
    const { room, waiting } = scene(8 * MIB);
    const pieces = piecesOf(randomBytes(2 * MIB));
    let stored = 0;
    const put = putAll(waiting, pieces, () => (stored += 1));
    while (stored < Math.ceil(MIB / PIECE)) await Promise.resolve();
    // The next one waits until others are written.
    await waiting.close();
    await put;
    expect(await readdir(folder)).toEqual([]);
    expect(room.take(OWNER, 8 * MIB)).toBeNull();
  });

  it('make the sender wait while the disk is full', async (context) => {
    await withSmallDisk(folder, 1, context, async (disk) => {
      const { waiting } = scene(100 * MIB, 0, join(disk, 'file'));
      const bytes = randomBytes(12 * MIB);
      const put = putAll(waiting, piecesOf(bytes));
      expect(await isSettled(put)).toBe(false);
      expect((await takeAll(waiting)).equals(bytes)).toBe(true);
      await put;
      await waiting.close();
      expect(await readdir(disk)).toEqual([]);
    });
  });
});
