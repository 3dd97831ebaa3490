import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventually } from '../../../test/support/eventually.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { DownloadSpool } from './download-spool.js';

const PIECE = Buffer.alloc(30_720, 7);
const PIECES = 100;
/** Pieces that are taken ahead of a prompt reader at most. */
const AHEAD = 10;
const OWNER = { principalId: 'anna', share: 'contoso' };
/** Longer than the time-out of a reader, in milliseconds. */
const STANDSTILL_MS = 150;

let dataPath: string;

beforeEach(async () => {
  dataPath = await mkdtemp(join(tmpdir(), 'download-spool-'));
});

afterEach(() => rm(dataPath, { recursive: true, force: true }));

/** A download of some pieces, with the number of those that the device has sent. */
async function download() {
  const env = { Service_DataPath: dataPath, Service_AppOptions__UploadSpoolReserve: '0' };
  const spool = new DownloadSpool(loadSettings({ env, cwd: '/nonexistent' }).settings);
  await spool.onModuleInit();
  const state = { sent: 0 };
  const bytes = spool.ahead(OWNER, async function* () {
    for (; state.sent < PIECES; state.sent += 1) yield await Promise.resolve(PIECE);
  });
  return { state, bytes: bytes[Symbol.asyncIterator]() };
}

const files = (): Promise<string[]> => readdir(join(dataPath, 'downloads-under-way'));

async function sizeOfRest(bytes: AsyncIterator<Uint8Array>): Promise<number> {
  let size = 0;
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) size += next.value.length;
  return size;
}

describe('a download', () => {
  it('is sent on while a reader keeps its bytes for long, and waits in a file', async () => {
    const { state, bytes } = await download();
    const first = await bytes.next();
    await eventually('the device has sent everything', () => state.sent === PIECES);
    expect(await files()).toHaveLength(1);
    expect(first.value.length + (await sizeOfRest(bytes))).toBe(PIECES * PIECE.length);
    expect(await files()).toEqual([]);
  });

  it('is not sent ahead of a prompt reader after a standstill of the process', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    const client = connect(((await once(server, 'listening')) && (server.address() as AddressInfo)).port, '127.0.0.1');
    const [[peer]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
    try {
      const { state, bytes } = await download();
      const first = await bytes.next();
      // The reader is done long before this process sees it.
      peer.write('read');
      const isRead = once(client, 'data');
      for (const began = performance.now(); performance.now() - began < STANDSTILL_MS;);
      await isRead;
      const second = await bytes.next();
      expect(state.sent).toBeLessThanOrEqual(2 + AHEAD);
      expect(first.value.length + second.value.length + (await sizeOfRest(bytes))).toBe(PIECES * PIECE.length);
    } finally {
      client.destroy();
      server.close();
    }
  });
});
