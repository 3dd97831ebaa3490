import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { pack, type Pack } from 'tar-stream';

/** Contents of a path in an archive: a file of this machine, or a text. */
export type Contents = { readonly file: string; readonly isProgram?: boolean } | { readonly text: string };

/** All files below a folder that `isWanted` takes, at their places below `prefix`. */
export async function filesBelow(folder: string, prefix: string, isWanted: (path: string) => boolean): Promise<[string, Contents][]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files: [string, Contents][] = [];
  for (const entry of entries) {
    const [file, path] = [join(folder, entry.name), `${prefix}/${entry.name}`];
    if (entry.isDirectory() && entry.name !== 'node_modules') files.push(...(await filesBelow(file, path, isWanted)));
    else if (entry.isFile() && isWanted(entry.name)) files.push([path, { file }]);
  }
  return files;
}

/** Writes a gzipped tar archive. The same contents give the same bytes: sorted, with fixed times and owners. */
export async function writeArchive(target: string, contents: ReadonlyMap<string, Contents>): Promise<void> {
  const archive = pack();
  // The default level: the highest one takes more than twice as long and saves less than a hundredth.
  const writing = pipeline(archive, createGzip(), createWriteStream(target));
  const filling = fill(archive, contents).catch((error: Error) => archive.destroy(error));
  await Promise.all([writing, filling]);
}

async function fill(archive: Pack, contents: ReadonlyMap<string, Contents>): Promise<void> {
  for (const path of [...contents.keys()].sort()) await add(archive, path, contents.get(path) ?? { text: '' });
  archive.finalize();
}

async function add(archive: Pack, name: string, contents: Contents): Promise<void> {
  if ('text' in contents) {
    const bytes = Buffer.from(contents.text);
    const entry = archive.entry({ ...FIXED, name, mode: 0o644, size: bytes.length });
    entry.end(bytes);
    return;
  }
  const { size, mode } = await stat(contents.file);
  const isProgram = contents.isProgram ?? (mode & 0o111) !== 0;
  const entry = archive.entry({ ...FIXED, name, mode: isProgram ? 0o755 : 0o644, size });
  await pipeline(createReadStream(contents.file), entry);
}

const FIXED = { mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '', type: 'file' } as const;
