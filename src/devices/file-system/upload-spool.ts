import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Bulkhead } from '../../platform/common/concurrency/bulkhead.js';
import { hasCode } from '../../platform/common/errors/system-error.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Settings } from '../../platform/config/settings.js';
import { full, SpoolRoom, type SpoolOwner } from './spool-room.js';

const FOLDER = 'uploads';
/**
 * Most pieces of all uploads together that are written at once. An upload is read no faster than it is written, so this is also the
 * number of pieces that a turn of the event loop reads and parses: reports of devices do not wait for more, at any number of uploads.
 * One would leave the disk idle between two turns; more would take threads of the pool that verifies the signatures of reports.
 */
const WRITES_AT_ONCE = 2;

/** A file that is stored temporarily. */
export interface SpooledFile {
  /** In bytes. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Stores uploads whose target is not known yet when their bytes arrive. Files are deleted at the end of their request,
 * or at the next start.
 */
@Injectable()
export class UploadSpool implements OnModuleInit {
  private readonly folder: string;
  private readonly room: SpoolRoom;
  /** Only uploads that have begun wait here; their number is limited elsewhere. */
  private readonly writes = new Bulkhead({ running: WRITES_AT_ONCE, waiting: Number.POSITIVE_INFINITY, what: 'writes of uploads' });

  constructor({ dataPath, appOptions }: Settings) {
    this.folder = join(dataPath, FOLDER);
    this.room = new SpoolRoom(
      this.folder,
      {
        inAll: appOptions.uploadSpoolSize,
        ofOnePrincipal: appOptions.uploadSpoolSizePerCaller,
        reserve: appOptions.uploadSpoolReserve,
      },
      'uploads',
    );
  }

  /** The largest file that has room, in bytes. */
  get largestFile(): number {
    return this.room.largestFile;
  }

  /** Deletes files that an earlier run left behind. */
  async onModuleInit(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Stores the bytes for their owner, passes them to `use`, and always deletes them afterwards. 503 when there is no room for them. */
  async hold<T>(owner: SpoolOwner, bytes: AsyncIterable<Uint8Array>, use: (file: SpooledFile) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, newGuid());
    const place = this.room.enter(owner);
    const opened: ReadStream[] = [];
    try {
      const size = await this.store(path, place.count(bytes));
      return await use({ size, read: () => contentOf(path, opened) });
    } catch (error) {
      if (hasCode(error, 'ENOSPC', 'EDQUOT')) throw full('The server has no room for the file.');
      throw error;
    } finally {
      // A reader that gave up in the middle has left it open.
      for (const stream of opened) stream.destroy();
      await rm(path, { force: true });
      place.leave();
    }
  }

  /** Writes the bytes to a new file, in turns with other uploads. @returns how many they are */
  private async store(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const file = await open(path, 'wx', 0o600);
    try {
      let size = 0;
      for await (const piece of bytes) {
        await this.writes.run(() => writeWhole(file, piece));
        size += piece.length;
      }
      return size;
    } finally {
      await file.close();
    }
  }
}

/** The content of a file, which is opened when the first piece is asked for: a device that refuses an upload asks for none. */
async function* contentOf(path: string, opened: ReadStream[]): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path);
  opened.push(stream);
  yield* stream as AsyncIterable<Uint8Array>;
}

async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length;) at += (await file.write(piece, at)).bytesWritten;
}
