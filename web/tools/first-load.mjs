// Files that a browser loads before a page shows its first rows: the scripts and style sheets of the entry, of the shell and of the page,
// with all that these import. Sizes are those of gzip.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** The entry, and the route of the shell. */
const SHELL = ['index.html', 'src/routes/_app.tsx?'];
const DEVICES = 'src/routes/_app.devices.index.tsx?';

/** The chunks of a build by name. `dist` is the folder of a built front end. */
export const manifestOf = async (dist) => JSON.parse(await readFile(`${dist}/.vite/manifest.json`, 'utf8'));

/** The files of the first load, largest first. */
export async function firstLoad(dist) {
  const files = filesOf(await manifestOf(dist), [...SHELL, DEVICES]);
  const sizes = await Promise.all([...files].map(async (file) => ({ file, size: (await readFile(`${dist}/${file}.gz`)).length })));
  return sizes.sort((a, b) => b.size - a.size);
}

/** The files of each page beside those of the shell, by the start of the names of its chunks. */
export function filesOfPages(manifest) {
  const shell = filesOf(manifest, SHELL);
  const pages = new Set(
    Object.keys(manifest)
      .filter((name) => name.startsWith('src/routes/_app.') && name.includes('?'))
      .map((name) => name.slice(0, name.indexOf('?') + 1)),
  );
  return new Map([...pages].map((page) => [page, [...filesOf(manifest, [page])].filter((file) => !shell.has(file))]));
}

/** The files of all chunks whose names begin with one of `starts`, and of what they import. */
function filesOf(manifest, starts) {
  const files = new Set();
  const visited = new Set();
  const visit = (name) => {
    if (visited.has(name)) return;
    visited.add(name);
    const chunk = manifest[name];
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const start of starts) {
    // Chunks of a route name the route's parts after its file.
    const names = Object.keys(manifest).filter((name) => name.startsWith(start));
    if (names.length === 0) throw new Error(`The manifest has no ${start}.`);
    for (const name of names) visit(name);
  }
  return files;
}

/** Bytes of all files of a kind. */
export const totalOf = (files, extension) => files.filter(({ file }) => file.endsWith(extension)).reduce((sum, { size }) => sum + size, 0);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = await firstLoad(process.argv[2] ?? new URL('../dist', import.meta.url).pathname);
  for (const { file, size } of files) console.log(`${String(size).padStart(7)}  ${file}`);
  console.log(`${totalOf(files, '.js')} bytes of scripts, ${totalOf(files, '.css')} bytes of style sheets, ${files.length} files`);
}
