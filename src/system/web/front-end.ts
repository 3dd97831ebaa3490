import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { codeOf } from '../../platform/common/errors/system-error.js';
import { BuiltFile, ENCODINGS } from './built-file.js';
import { PageRoutes } from './page-routes.js';

/** The path below which all names hold a hash of their content. */
export const ASSETS_PATH = '/assets/';

/** More than any build of the front end needs. A folder with more files is another one, named by mistake. */
const MAXIMUM_FILES = 5_000;
const MAXIMUM_BYTES = 64 * 1024 * 1024;

/** The page that every address of the front end answers with. */
const INDEX = '/index.html';
/** The addresses of all pages. */
const ROUTES = '/routes.json';

/** The front end cannot be served. The message is for the operator. */
export class FrontEndError extends Error {
  override readonly name = 'FrontEndError';
}

/** The built front end, in memory. */
export class FrontEnd {
  private constructor(
    /** The page for all addresses; null if the front end was not built. */
    readonly page: BuiltFile | null,
    readonly routes: PageRoutes,
    /** All other files, by the exact path that they are requested with. */
    private readonly files: ReadonlyMap<string, BuiltFile>,
  ) {}

  /**
   * Reads the folder into which the front end was built. Requests are looked up in memory and never reach the disk.
   * @throws FrontEndError when the folder is there but no build of the front end
   */
  static read(folder: string): FrontEnd {
    const contents = contentsOf(folder);
    const index = contents.get(INDEX);
    if (index === undefined) return new FrontEnd(null, new PageRoutes([]), new Map());
    const built = (path: string, bytes: Buffer): BuiltFile => {
      const encoded = Object.fromEntries(ENCODINGS.map(({ name, suffix }) => [name, contents.get(path + suffix)]));
      return new BuiltFile(path, bytes, encoded, path.startsWith(ASSETS_PATH));
    };
    const files = [...contents].filter(([path]) => isServed(path)).map(([path, bytes]) => [path, built(path, bytes)] as const);
    return new FrontEnd(built(INDEX, index), new PageRoutes(patternsIn(contents.get(ROUTES), folder)), new Map(files));
  }

  /** The file at a path, as it was requested. */
  file(path: string): BuiltFile | undefined {
    return this.files.get(path);
  }
}

/** Checks that a file of the build has its own address. Names with a leading dot are the build's, the rest belongs to another file. */
function isServed(path: string): boolean {
  return path !== INDEX && path !== ROUTES && !path.includes('/.') && !ENCODINGS.some(({ suffix }) => path.endsWith(suffix));
}

/**
 * The files of a folder by their paths below it; none if there is no such folder. Links are left out. They are read synchronously: nothing
 * is served yet, and a thousand small files take 300 ms otherwise.
 */
function contentsOf(folder: string): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let size = 0;
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    if (entries.length > MAXIMUM_FILES) throw new FrontEndError(`WebPath: ${folder} holds too many files to be the built front end.`);
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      size += statSync(path).size;
      if (size > MAXIMUM_BYTES) throw new FrontEndError(`WebPath: ${folder} is too large to be the built front end.`);
      contents.set(`/${relative(folder, path).replaceAll(sep, '/')}`, readFileSync(path));
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Map();
    if (error instanceof FrontEndError || !(error instanceof Error)) throw error;
    throw new FrontEndError(`WebPath: the front end cannot be read. ${error.message}`, { cause: error });
  }
  return contents;
}

/** The patterns of all pages, as the build lists them. */
function patternsIn(routes: Buffer | undefined, folder: string): string[] {
  try {
    const patterns: unknown = JSON.parse(routes?.toString('utf8') ?? '');
    if (Array.isArray(patterns) && patterns.every((pattern) => typeof pattern === 'string')) return patterns;
  } catch {
    // It is no JSON, and refused like other JSON that is no list.
  }
  throw new FrontEndError(`WebPath: ${join(folder, ROUTES)} lists no pages. Build the front end again: npm run web:build`);
}
