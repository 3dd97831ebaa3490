import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventually } from '../../../test/support/eventually.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import type { SpoolOwner } from './spool-room.js';
import { UploadSpool, type SpooledFile } from './upload-spool.js';

const UPLOADS = 20;
const PIECES = 50;
const PIECE_BYTES = 16 * 1024;
/** Most pieces that one turn of the event loop may read of all uploads together. */
const MOST_IN_A_TURN = 2;

let dataPath: string;
let spool: UploadSpool;

beforeEach(async () => {
  dataPath = await mkdtemp(join(tmpdir(), 'upload-spool-'));
  const env = { Service_DataPath: dataPath, Service_AppOptions__UploadSpoolReserve: '0' };
  spool = new UploadSpool(loadSettings({ env, cwd: '/nonexistent' }).settings);
});

afterEach(() => rm(dataPath, { recursive: true, force: true }));

const ownerNamed = (principalId: string): SpoolOwner => ({ principalId, share: 'contoso' });

async function contentOf(file: SpooledFile): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read()) pieces.push(piece);
  expect(file.size).toBe(pieces.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat(pieces);
}

/** The piece of an upload: no other one has the same bytes. */
function pieceOf(upload: number, index: number): Buffer {
  return Buffer.alloc(PIECE_BYTES, `${upload}/${index}.`);
}

describe('UploadSpool', () => {
  it('reads a few pieces of many uploads in each turn of the event loop, and stores all of them whole', async () => {
    const read = Array.from({ length: UPLOADS }, () => 0);
    const piecesRead = (): number => read.reduce((sum, each) => sum + each, 0);
    async function* bytesOf(upload: number): AsyncIterable<Uint8Array> {
      for (; read[upload] < PIECES; read[upload] += 1) yield await Promise.resolve(pieceOf(upload, read[upload]));
    }
    const ended = new AbortController();
    const stored = Promise.all(read.map((_, upload) => spool.hold(ownerNamed('anna'), bytesOf(upload), contentOf))).finally(() =>
      ended.abort(),
    );
    let most = 0;
    while (!ended.signal.aborted) {
      const before = piecesRead();
      await nextTurn();
      most = Math.max(most, piecesRead() - before);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(MOST_IN_A_TURN);
    const expected = read.map((_, upload) => Buffer.concat(Array.from({ length: PIECES }, (_piece, index) => pieceOf(upload, index))));
    for (const [upload, content] of (await stored).entries()) expect(content.equals(expected[upload])).toBe(true);
    expect(await readdir(join(dataPath, 'uploads'))).toEqual([]);
  });

  it('goes on with other uploads when one fails, and leaves nothing of it', async () => {
    async function* failing(): AsyncIterable<Uint8Array> {
      yield await Promise.resolve(pieceOf(0, 0));
      throw new Error('cut off');
    }
    async function* whole(): AsyncIterable<Uint8Array> {
      for (let index = 0; index < PIECES; index += 1) yield await Promise.resolve(pieceOf(1, index));
    }
    const size = (file: SpooledFile): Promise<number> => Promise.resolve(file.size);
    const failures = Array.from({ length: UPLOADS }, () => spool.hold(ownerNamed('anna'), failing(), size));
    const results = await Promise.allSettled([...failures, spool.hold(ownerNamed('boris'), whole(), size)]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message))).toEqual([
      ...failures.map(() => 'cut off'),
      PIECES * PIECE_BYTES,
    ]);
    expect(await readdir(join(dataPath, 'uploads'))).toEqual([]);
  });

  it('closes files that were not read, or not to their end', async () => {
    const openFiles = async (): Promise<string[]> => {
      const targets = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return targets.filter((path) => path.startsWith(join(dataPath, 'uploads')));
    };
    const bytes = async function* (): AsyncIterable<Uint8Array> {
      for (let index = 0; index < PIECES; index += 1) yield await Promise.resolve(pieceOf(0, index));
    };
    await spool.hold(ownerNamed('anna'), bytes(), (file) => Promise.resolve(file.read()));
    await spool.hold(ownerNamed('anna'), bytes(), async (file) => {
      await file.read()[Symbol.asyncIterator]().next();
      expect(await openFiles()).toHaveLength(1);
    });
    await eventually('the files are closed', async () => (await openFiles()).length === 0);
  });
});
