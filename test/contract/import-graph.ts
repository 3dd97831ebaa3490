import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** An import of one file by another. Paths are relative to the root of the project; a library is `libs/<name>`. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** The source files below a folder of the project; none where the folder does not exist. */
export async function sourcesOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // A program that does not exist yet breaks no rule.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile() && /\.[jt]sx?$/.test(entry.name) && !/[\\/](node_modules|dist)\b/.test(entry.parentPath))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

/** Returns the text of a file. */
export const textOf = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** Returns the imports of a file, as it names them: values and types, at its start and later. */
export async function specifiersOf(path: string): Promise<string[]> {
  return [...(await textOf(path)).matchAll(/(?:\bfrom|\bimport\(?)\s*'([^']+)'/g)].map(([, specifier]) => specifier);
}

/** Returns the imports of a file from the project. */
export async function importsOf(path: string): Promise<Import[]> {
  const specifiers = await specifiersOf(path);
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('#libs/')) return [{ from: path, to: specifier.slice(1) }];
    if (!specifier.startsWith('.')) return [];
    const target = normalize(join(dirname(path), specifier)).replaceAll(sep, '/');
    return [{ from: path, to: target.replace(/\.js$/, '.ts') }];
  });
}

/** Everything that imports itself through others, or lies between two such circles. */
export function membersOfCircles(imports: readonly Import[]): string[] {
  const uses = new Map<string, Set<string>>();
  for (const { from, to } of imports) uses.set(from, (uses.get(from) ?? new Set()).add(to));
  let left = new Set(uses.keys());
  for (;;) {
    const used = new Set([...left].flatMap((user) => [...(uses.get(user) ?? [])]));
    // A member of a circle is imported by another member and imports another member.
    const between = [...left].filter((name) => used.has(name) && [...(uses.get(name) ?? [])].some((other) => left.has(other)));
    if (between.length === left.size) return between.sort();
    left = new Set(between);
  }
}
