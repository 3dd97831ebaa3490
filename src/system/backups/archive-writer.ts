import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';

import type { Encrypter } from 'age-encryption';
import { pack, type Pack } from 'tar-stream';

import { hasCode } from '../../platform/common/errors/system-error.js';
import { messageOf } from '../../platform/common/errors/errors.js';
import { drained } from './drained.js';
import { BackupError } from './backup-error.js';

/** A quarter of the time of the default level, for a tenth more bytes. */
const COMPRESSION = { level: 2 };
/** Only the account of the service may read it. */
const MODE = 0o600;

/** End of the name of a file that is being written. */
export const UNFINISHED = '.unfinished';

/**
 * Writes an archive. The file gets its name when all of it is on the disk, so that nothing under that name is ever half a backup.
 */
export class ArchiveWriter {
  private readonly members: Pack = pack();
  private readonly written: Promise<void>;
  private readonly stopped = new AbortController();

  private constructor(
    private readonly path: string,
    private readonly unfinished: string,
    encrypter: Encrypter | null,
  ) {
    const target = createWriteStream(unfinished, { flags: 'wx', mode: MODE, flush: true });
    const options = { signal: this.stopped.signal };
    const compressed = createGzip(COMPRESSION);
    this.written =
      encrypter === null
        ? pipeline(this.members, compressed, target, options)
        : pipeline(this.members, compressed, (source: AsyncIterable<Uint8Array>) => encrypted(source, encrypter), target, options);
    // It is awaited at the end, or with the first member that cannot be written.
    this.written.catch(() => undefined);
  }

  /** Begins an archive. `recipients` of age can read it; with none, it is not encrypted. @throws BackupError when there is such a file */
  static async create(path: string, recipients: readonly string[]): Promise<ArchiveWriter> {
    if (await exists(path)) throw new BackupError(`${path} exists. Name another file: a backup replaces none.`);
    const encrypter = recipients.length === 0 ? null : await encrypterFor(recipients);
    const unfinished = path + UNFINISHED;
    // One that was killed has left it.
    await rm(unfinished, { force: true });
    return new ArchiveWriter(path, unfinished, encrypter);
  }

  /** Adds a member. Resolves when the next may follow, so that memory stays flat. */
  async add(name: string, content: Buffer): Promise<void> {
    const added = new Promise<void>((resolve, reject) => {
      const entry = this.members.entry({ name, size: content.length, mode: MODE }, content, (error) => {
        if (error) reject(error);
        else resolve();
      });
      // The callback has the error as well.
      entry.on('error', () => undefined);
    });
    await this.orFailure(added);
  }

  /** Adds a member of a known size. @throws BackupError when the source has less */
  async addFrom(name: string, size: number, source: AsyncIterable<Buffer>): Promise<void> {
    let left = size;
    let failure: Error | null | undefined;
    const entry = this.members.entry({ name, size, mode: MODE }, (error) => (failure = error));
    entry.on('error', () => undefined);
    for await (const chunk of source) {
      if (failure) await this.orFailure(this.written);
      left -= chunk.length;
      if (!entry.write(chunk)) await this.orFailure(drained(entry));
    }
    if (left !== 0) throw new BackupError(`${name} changed while it was read. Try again.`);
    const ended = new Promise<void>((resolve) => entry.once('close', resolve));
    entry.end(null);
    await this.orFailure(ended);
  }

  /** Ends the archive and gives it its name. Returns its size in bytes. */
  async finish(): Promise<number> {
    this.members.finalize();
    await this.orFailure(this.written);
    const { size } = await stat(this.unfinished);
    await rename(this.unfinished, this.path);
    await syncFolder(dirname(this.path));
    return size;
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    this.stopped.abort();
    await this.written.catch(() => undefined);
    await rm(this.unfinished, { force: true });
  }

  /** The work, unless writing to the file fails before: then a sentence with the reason. */
  private async orFailure<T>(work: Promise<T>): Promise<T> {
    // A member fails as well when the file does, with an error that says less.
    const failed = this.written.then(
      () => work,
      (error: unknown) => {
        throw new BackupError(`The backup could not be written to ${this.path}: ${messageOf(error)}`, { cause: error });
      },
    );
    return Promise.race([work.catch(() => failed), failed]);
  }
}

async function* encrypted(source: AsyncIterable<Uint8Array>, encrypter: Encrypter): AsyncIterable<Uint8Array> {
  yield* await encrypter.encrypt(ReadableStream.from(source));
}

/** @throws BackupError when a recipient is malformed */
async function encrypterFor(recipients: readonly string[]): Promise<Encrypter> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw new BackupError(`“${recipient}” is no recipient of age, such as age1…: ${messageOf(error)}`, { cause: error });
    }
  }
  return encrypter;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Without this, a machine that loses power could lose the name. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
