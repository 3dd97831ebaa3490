import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { DomainError, ErrorCode } from '../common/errors.js';
import { newGuid } from '../common/guid.js';
import { hasCode } from '../common/system-error.js';
import { Settings } from '../config/settings.js';

const FOLDER = 'uploads';

/** A file that waits on the server. */
export interface SpooledFile {
  /** Bytes. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Where files wait whose way is not known when they begin to arrive. Nothing in it outlives the request, or a restart. */
@Injectable()
export class UploadSpool implements OnModuleInit {
  private readonly folder: string;

  constructor(settings: Settings) {
    this.folder = join(settings.dataPath, FOLDER);
  }

  /** Removes what a former run left behind. */
  async onModuleInit(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Stores the bytes, hands them to `use`, and removes them whatever happens. 503 when the disk is full. */
  async hold<T>(bytes: AsyncIterable<Uint8Array>, use: (file: SpooledFile) => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, newGuid());
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    try {
      await pipeline(bytes, file);
      return await use({ size: file.bytesWritten, read: () => createReadStream(path) as AsyncIterable<Uint8Array> });
    } catch (error) {
      if (hasCode(error, 'ENOSPC', 'EDQUOT')) throw new DomainError(ErrorCode.Unavailable, 'The server has no room for the file.');
      throw error;
    } finally {
      await rm(path, { force: true });
    }
  }
}
