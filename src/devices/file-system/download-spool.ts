import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Settings } from '../../platform/config/settings.js';
import { SpoolRoom, type SpoolOwner } from './spool-room.js';
import { WaitingBytes } from './waiting-bytes.js';

const FOLDER = 'downloads-under-way';
/** Time-out of a reader for the bytes that it was given before the device no longer waits for it, in milliseconds. */
const READ_TIMEOUT_MS = 100;

/** Opens the bytes of a device. `done` fires when they are not read any more. */
export type OpenBytes = (done: AbortSignal) => AsyncIterable<Uint8Array>;

/**
 * Lets devices send files without waiting for slow readers. All that an agent says comes through one connection, and the protocol cannot
 * hold back one of its streams: a device that has to wait with a file waits with its heartbeats, answers and terminals as well.
 * So the bytes of a slow download wait on the server, in limited room. Without room the device has to wait after all.
 */
@Injectable()
export class DownloadSpool implements OnModuleInit {
  private readonly folder: string;
  private readonly room: SpoolRoom;

  constructor({ dataPath, appOptions }: Settings) {
    this.folder = join(dataPath, FOLDER);
    this.room = new SpoolRoom(
      this.folder,
      {
        inAll: appOptions.downloadSpoolSize,
        ofOnePrincipal: appOptions.downloadSpoolSizePerCaller,
        reserve: appOptions.uploadSpoolReserve,
      },
      'downloads',
    );
  }

  /** Deletes files that an earlier run left behind. */
  async onModuleInit(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  /** The same bytes. While their reader is slow, they are taken from the device ahead of it. */
  async *ahead(owner: SpoolOwner, openBytes: OpenBytes): AsyncIterable<Uint8Array> {
    const done = new AbortController();
    const bytes = openBytes(done.signal)[Symbol.asyncIterator]();
    const waiting = new WaitingBytes(join(this.folder, newGuid()), this.room.enter(owner));
    let reads = 0;
    let isBeingRead = false;
    const judge = (read: number): void => {
      if (isBeingRead && read === reads) waiting.readerIsSlow();
    };
    // After a standstill of this process timers fire first: what the reader did in that time is seen before it is judged.
    const readTimeout = setTimeout(() => setImmediate(judge, reads), READ_TIMEOUT_MS);
    void fill(waiting, bytes);
    try {
      for (let piece = await waiting.take(); piece !== null; piece = await waiting.take()) {
        reads += 1;
        isBeingRead = true;
        readTimeout.refresh();
        yield piece;
        isBeingRead = false;
      }
    } finally {
      clearTimeout(readTimeout);
      done.abort();
      bytes.return?.().catch(() => undefined);
      await waiting.close();
    }
  }
}

/** Puts all bytes in, and their end. */
async function fill(waiting: WaitingBytes, bytes: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) await waiting.put(next.value);
    waiting.end();
  } catch (error) {
    waiting.end(error);
  }
}
