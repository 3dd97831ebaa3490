// Files that a browser loads before the list of devices shows its first rows: the scripts and style sheets of the entry, of the shell and
// of the page, with all that these import. Sizes are those of gzip.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** The entry, and the routes that its router loads for `/devices`. */
const LOADED = ['index.html', 'src/routes/_app.tsx?', 'src/routes/_app.devices.index.tsx?'];

/** The files of the first load, largest first. `dist` is the folder of a built front end. */
export async function firstLoad(dist) {
  const manifest = JSON.parse(await readFile(`${dist}/.vite/manifest.json`, 'utf8'));
  const files = new Set();
  const visited = new Set();
  const visit = (name) => {
    if (visited.has(name)) return;
    visited.add(name);
    const chunk = manifest[name];
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const start of LOADED) {
    // Chunks of a route name the route's parts after its file.
    const names = Object.keys(manifest).filter((name) => name.startsWith(start));
    if (names.length === 0) throw new Error(`The manifest has no ${start}.`);
    for (const name of names) visit(name);
  }
  const sizes = await Promise.all([...files].map(async (file) => ({ file, size: (await readFile(`${dist}/${file}.gz`)).length })));
  return sizes.sort((a, b) => b.size - a.size);
}

/** Bytes of all files of a kind. */
export const totalOf = (files, extension) => files.filter(({ file }) => file.endsWith(extension)).reduce((sum, { size }) => sum + size, 0);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = await firstLoad(process.argv[2] ?? new URL('../dist', import.meta.url).pathname);
  for (const { file, size } of files) console.log(`${String(size).padStart(7)}  ${file}`);
  console.log(`${totalOf(files, '.js')} bytes of scripts, ${totalOf(files, '.css')} bytes of style sheets, ${files.length} files`);
}
