import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { extract } from 'tar-stream';

import { messageOf } from '../../platform/common/errors/errors.js';
import { drained } from './drained.js';
import { BackupError } from './backup-error.js';

/** Begin of a file that age has encrypted. */
const AGE_MAGIC = 'age-encryption.org/v1\n';
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Longest file with identities of age, in bytes. */
const MAXIMUM_IDENTITY_BYTES = 64 * 1024;

/** A member while it is read. Its content must be read to its end before the next member. */
export interface ArchiveMember {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** The identities in a file as `age-keygen` writes it: one a line, beside comments. @throws BackupError when there are none */
export async function readIdentities(path: string): Promise<readonly string[]> {
  const text = await readable(path, async () => {
    const { size } = await stat(path);
    return size > MAXIMUM_IDENTITY_BYTES ? '' : readFile(path, 'utf8');
  });
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (identities.length === 0) throw new BackupError(`${path} holds no identity of age, such as AGE-SECRET-KEY-1….`);
  return identities;
}

/**
 * The members of an archive in their order.
 * @throws BackupError when the file cannot be read, is cut off or damaged, or none of the identities opens it
 */
export async function* readArchive(path: string, identities: readonly string[]): AsyncIterable<ArchiveMember> {
  const archive = extract();
  let member = 'its beginning';
  const file = createReadStream(path);
  const plain = (await isEncrypted(path)) ? await decrypted(path, file, identities) : file;
  const compressed = createGunzip();
  const unpacked = pipeline(plain, compressed, async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) if (!archive.write(chunk)) await drained(archive);
    archive.end(null);
  });
  unpacked.catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))));
  const failure = (error: unknown): BackupError => {
    if (error instanceof BackupError) return error;
    const message = `${path} is cut off or damaged, at ${member}: ${messageOf(error)}. Nothing was changed. Use another backup.`;
    return new BackupError(message, { cause: error });
  };
  try {
    for await (const entry of archive) {
      member = entry.header.name;
      yield { name: member, size: entry.header.size ?? 0, content: reading(entry as AsyncIterable<Buffer>, failure) };
    }
    await unpacked;
  } catch (error) {
    throw failure(error);
  } finally {
    // A reader that stops early needs the rest no more.
    file.destroy();
    archive.destroy();
  }
}

/** The content of a member, with a sentence for the operator when it cannot be read. */
async function* reading(content: AsyncIterable<Buffer>, failure: (error: unknown) => BackupError): AsyncIterable<Buffer> {
  try {
    yield* content;
  } catch (error) {
    throw failure(error);
  }
}

/** Checks whether age has encrypted the file. @throws BackupError when it is no backup at all */
async function isEncrypted(path: string): Promise<boolean> {
  const begin = Buffer.alloc(AGE_MAGIC.length);
  await readable(path, async () => {
    const handle = await open(path, 'r');
    try {
      await handle.read(begin, 0, begin.length, 0);
    } finally {
      await handle.close();
    }
  });
  if (begin.toString('latin1') === AGE_MAGIC) return true;
  if (!begin.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) throw new BackupError(`${path} is no backup of this service.`);
  return false;
}

async function decrypted(path: string, file: AsyncIterable<Uint8Array>, identities: readonly string[]): Promise<AsyncIterable<Uint8Array>> {
  if (identities.length === 0) throw new BackupError(`${path} is encrypted. Name the file with the identity: --identity <file>.`);
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
    } catch (error) {
      throw new BackupError('The file with the identity is malformed: it must hold lines such as AGE-SECRET-KEY-1….', { cause: error });
    }
  }
  try {
    return await decrypter.decrypt(ReadableStream.from(file));
  } catch (error) {
    throw new BackupError(`${path} cannot be decrypted with this identity: ${messageOf(error)}. Nothing was changed.`, { cause: error });
  }
}

/** The result of `read`. @throws BackupError with the reason when the file cannot be read */
async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new BackupError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
