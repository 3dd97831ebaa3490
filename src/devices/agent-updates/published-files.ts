import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { hasCode } from '../../platform/common/errors/system-error.js';
import { Settings } from '../../platform/config/settings.js';

const DOWNLOADS = 'downloads';

/** A file that everyone can download. */
export interface PublishedFile {
  /** The folder that files are published in. */
  readonly root: string;
  /** Path within the folder, with `/`. */
  readonly path: string;
  readonly size: number;
  /** Changes whenever the contents do. */
  readonly revision: string;
}

/** Files for agents: those that the operator publishes under `<data folder>/downloads`, else the bundles that come with the service. */
@Injectable()
export class PublishedFiles {
  private readonly roots: readonly string[];

  constructor(settings: Settings) {
    this.roots = [join(settings.dataPath, DOWNLOADS), settings.agentBundle.folder];
  }

  /** The file with this path; null when there is none. */
  async find(path: string): Promise<PublishedFile | null> {
    const opened = await this.open(path);
    await opened?.handle.close();
    return opened?.file ?? null;
  }

  /** The trimmed text of a published file, at most `maximumBytes` of it; null when there is no such file. */
  async text(path: string, maximumBytes: number): Promise<string | null> {
    const opened = await this.open(path);
    if (opened === null) return null;
    try {
      const { bytesRead, buffer } = await opened.handle.read(Buffer.alloc(maximumBytes), 0, maximumBytes, 0);
      const text = buffer.toString('utf8', 0, bytesRead).trim();
      return text === '' ? null : text;
    } finally {
      await opened.handle.close();
    }
  }

  /** Opens a published file; null when there is none. The caller closes it. */
  async open(path: string): Promise<{ readonly handle: FileHandle; readonly file: PublishedFile } | null> {
    if (!isSafe(path)) return null;
    for (const root of this.roots) {
      const handle = await openFile(join(root, path));
      if (handle === null) continue;
      const { size, ino, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
      return { handle, file: { root, path, size: Number(size), revision: `${ino}-${size}-${mtimeNs}-${ctimeNs}` } };
    }
    return null;
  }
}

/** Checks that each part of a path is the name of a file or folder that is not hidden. */
function isSafe(path: string): boolean {
  return path.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\\0]/.test(part));
}

/** A regular file, opened without waiting for the other end of a pipe. */
async function openFile(path: string): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) return null;
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}
