import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { hasCode } from '../common/system-error.js';
import { Settings } from '../config/settings.js';

const DOWNLOADS = 'downloads';

/** Files that the operator publishes under `<data folder>/downloads`. */
@Injectable()
export class PublishedFiles {
  constructor(private readonly settings: Settings) {}

  /** The trimmed text of a published file, at most `maximumBytes` of it; null when there is no such file. */
  async text(name: string, maximumBytes: number): Promise<string | null> {
    const file = await this.open(name);
    if (file === null) return null;
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maximumBytes), 0, maximumBytes, 0);
      const text = buffer.toString('utf8', 0, bytesRead).trim();
      return text === '' ? null : text;
    } finally {
      await file.close();
    }
  }

  private async open(name: string): Promise<FileHandle | null> {
    try {
      return await open(join(this.settings.dataPath, DOWNLOADS, name), 'r');
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
      throw error;
    }
  }
}
