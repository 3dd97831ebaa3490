import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

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

function scene(roomBytes: number, reserve = 0) {
  const room = new SpoolRoom(folder, { inAll: 2 * roomBytes, ofOnePrincipal: roomBytes, reserve }, 'uploads');
  return { room, waiting: new WaitingBytes(join(folder, 'file'), room.enter(OWNER)) };
}

function piecesOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, at) => bytes.subarray(at * PIECE, (at + 1) * PIECE));
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

  it('are the same at any speed of the two sides, also in little room', async () => {
    for (const roomBytes of [0, 5 * PIECE, 2 * MIB]) {
      const { waiting } = scene(roomBytes);
      const bytes = randomBytes(12 * MIB);
      const put = async (): Promise<void> => {
        for (const [at, piece] of piecesOf(bytes).entries()) {
          if (at % 90 === 0) await turn();
          await waiting.put(piece);
        }
        waiting.end();
      };
      const take = async (): Promise<Buffer> => {
        const taken: Uint8Array[] = [];
        for (let piece = await waiting.take(); piece !== null; piece = await waiting.take()) {
          taken.push(piece);
          if (taken.length % 70 === 0) for (let turns = 0; turns < 20; turns += 1) await turn();
        }
        return Buffer.concat(taken);
      };
      const [, taken] = await Promise.all([put(), take()]);
      expect(taken.equals(bytes)).toBe(true);
      await waiting.close();
    }
  });

  it.each([
    ['the principal has no room', 0, 0],
    ['the disk is nearly full', 100 * MIB, Number.MAX_SAFE_INTEGER],
  ])('make the sender wait when %s', async (_why, roomBytes, reserve) => {
    const { waiting } = scene(roomBytes, reserve);
    const pieces = piecesOf(randomBytes(2 * MIB));
    let stored = 0;
    const put = (async () => {
      for (const piece of pieces) {
        await waiting.put(piece);
        stored += 1;
      }
      waiting.end();
    })();
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
    const put = (async () => {
      for (const piece of piecesOf(randomBytes(4 * MIB))) await waiting.put(piece);
    })();
    expect(await isSettled(put)).toBe(false);
    await waiting.close();
    await put;
    expect(await readdir(folder)).toEqual([]);
  });
});
