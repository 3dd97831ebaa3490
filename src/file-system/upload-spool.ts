import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { newGuid } from '../common/guid.js';
import { hasCode } from '../common/system-error.js';
import { Settings } from '../config/settings.js';
import { full, SpoolRoom } from './spool-room.js';

const FOLDER = 'uploads';

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

  constructor({ dataPath, appOptions }: Settings) {
    this.folder = join(dataPath, FOLDER);
    this.room = new SpoolRoom(this.folder, {
      inAll: appOptions.uploadSpoolSize,
      ofOnePrincipal: appOptions.uploadSpoolSizePerCaller,
      reserve: appOptions.uploadSpoolReserve,
    });
  }

  /** The largest file that has room, in bytes. */
  get largestFile(): number {
    return this.room.largestFile;
  }

  /** Deletes files that an earlier run left behind. */
  async onModuleInit(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Stores the bytes for a principal, passes them to `use`, and always deletes them afterwards. 503 when there is no room for them. */
  async hold<T>(principalId: string, bytes: AsyncIterable<Uint8Array>, use: (file: SpooledFile) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, newGuid());
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    const place = this.room.enter(principalId);
    try {
      await pipeline(place.count(bytes), file);
      return await use({ size: file.bytesWritten, read: () => createReadStream(path) as AsyncIterable<Uint8Array> });
    } catch (error) {
      if (hasCode(error, 'ENOSPC', 'EDQUOT')) throw full('The server has no room for the file.');
      throw error;
    } finally {
      await rm(path, { force: true });
      place.leave();
    }
  }
}
