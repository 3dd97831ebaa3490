import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';

import { BoundedMap } from '../../platform/common/collections/bounded-map.js';
import { PublishedFiles } from './published-files.js';

/** More files than bundles of all platforms. */
const MAXIMUM_DIGESTS = 64;

interface Known {
  readonly revision: string;
  readonly sha256: Promise<string>;
}

/** SHA-256 digests of published files. A file is read once after each change, however many ask for it. */
@Injectable()
export class FileDigests {
  private readonly known = new BoundedMap<string, Known>(MAXIMUM_DIGESTS);

  constructor(private readonly files: PublishedFiles) {}

  /** The digest in lower-case hex; null when there is no such file. */
  async sha256(path: string): Promise<string | null> {
    const opened = await this.files.open(path);
    if (opened === null) return null;
    const { handle, file } = opened;
    const key = `${file.root}/${path}`;
    const known = this.known.get(key);
    if (known?.revision === file.revision) {
      await handle.close();
      return known.sha256;
    }
    const sha256 = digest(handle.createReadStream());
    this.known.set(key, { revision: file.revision, sha256 });
    try {
      return await sha256;
    } catch (error) {
      this.known.delete(key);
      throw error;
    }
  }
}

async function digest(bytes: NodeJS.ReadableStream): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(bytes, hash);
  return hash.digest('hex');
}
