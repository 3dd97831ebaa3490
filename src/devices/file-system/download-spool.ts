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

  /** The same bytes. As soon as their reader is slow, they are taken from the device ahead of it. */
  async *ahead(owner: SpoolOwner, openBytes: OpenBytes): AsyncIterable<Uint8Array> {
    const done = new AbortController();
    const bytes = openBytes(done.signal)[Symbol.asyncIterator]();
    let waiting: WaitingBytes | undefined;
    let isBeingRead = false;
    const readTimeout = setTimeout(() => {
      if (!isBeingRead || waiting !== undefined) return;
      waiting = new WaitingBytes(join(this.folder, newGuid()), this.room.enter(owner));
      void fill(waiting, bytes);
    }, READ_TIMEOUT_MS);
    try {
      for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) {
        isBeingRead = true;
        readTimeout.refresh();
        yield next.value;
        isBeingRead = false;
        if (waiting !== undefined) break;
      }
      if (waiting === undefined) return;
      for (let piece = await waiting.take(); piece !== null; piece = await waiting.take()) yield piece;
    } finally {
      clearTimeout(readTimeout);
      done.abort();
      bytes.return?.().catch(() => undefined);
      await waiting?.close();
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
