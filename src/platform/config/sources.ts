import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Largest settings file, in bytes. */
const MAX_SETTINGS_FILE_BYTES = 1024 * 1024;

/** Largest file of the secrets folder, in bytes. */
const MAX_SECRET_FILE_BYTES = 64 * 1024;

/** Deepest nesting of a settings file. */
const MAX_DEPTH = 8;

const ENVIRONMENT_PREFIX = 'service_';

/** Variables without the service's prefix that set options. */
const PLAIN_VARIABLES: Readonly<Record<string, string>> = {
  PORT: 'Port',
  POSTGRES_HOST: 'POSTGRES_HOST',
  POSTGRES_PORT: 'POSTGRES_PORT',
  POSTGRES_USER: 'POSTGRES_USER',
  POSTGRES_PASSWORD: 'POSTGRES_PASSWORD',
  POSTGRES_DB: 'POSTGRES_DB',
};

/** A value as it was given, and the name that gave it, for messages. */
export interface Entry {
  /** The name that the operator wrote. */
  readonly name: string;
  readonly text: string;
}

/** A source of options: entries by key path in lower case. */
export interface Source {
  readonly name: string;
  readonly entries: ReadonlyMap<string, Entry>;
  /** True when an unknown entry is probably a mistake. */
  readonly reportUnknown: boolean;
}

/** A source that cannot be read. The message quotes nothing of its content, which may be secret. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** Variables such as PORT and POSTGRES_HOST, which other programs share. */
export function plainVariables(env: NodeJS.ProcessEnv): Source {
  const entries = new Map<string, Entry>();
  for (const [name, key] of Object.entries(PLAIN_VARIABLES)) {
    const text = env[name];
    if (text !== undefined) entries.set(key.toLowerCase(), { name, text });
  }
  return { name: 'environment', entries, reportUnknown: false };
}

/** Variables with the prefix `Service_`, in any case; two underscores are one level down. */
export function serviceVariables(env: NodeJS.ProcessEnv): Source {
  const entries = new Map<string, Entry>();
  for (const [name, text] of Object.entries(env)) {
    if (text === undefined || !name.toLowerCase().startsWith(ENVIRONMENT_PREFIX)) continue;
    entries.set(name.slice(ENVIRONMENT_PREFIX.length).replaceAll('__', ':').toLowerCase(), { name, text });
  }
  return { name: 'environment', entries, reportUnknown: true };
}

/**
 * A JSON file with nested objects, whose names are the levels of the key path.
 * @throws SourceError when it cannot be read or is no JSON object
 */
export function settingsFile(path: string): Source {
  let content: unknown;
  try {
    if (statSync(path).size > MAX_SETTINGS_FILE_BYTES) throw new SourceError(`${path}: expected at most ${MAX_SETTINGS_FILE_BYTES} bytes`);
    content = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SourceError) throw error;
    // The parser's own message quotes the file.
    const reason = error instanceof SyntaxError ? 'expected a JSON object, but it is not valid JSON' : 'expected a file that can be read';
    throw new SourceError(`${path}: ${reason}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw new SourceError(`${path}: expected a JSON object`);
  const entries = new Map<string, Entry>();
  flatten(content, [], entries, path);
  return { name: path, entries, reportUnknown: true };
}

/**
 * A folder with one file an option; the file's name is the key path, with `:` or `__` between levels.
 * @throws SourceError when it cannot be read
 */
export function secretsFolder(path: string): Source {
  const entries = new Map<string, Entry>();
  for (const name of reading(path, 'folder of secrets', () => readdirSync(path))) {
    if (name.startsWith('.')) continue;
    const file = join(path, name);
    const text = reading(file, 'secret', () => secretText(file));
    if (text !== null) entries.set(name.replaceAll('__', ':').toLowerCase(), { name: file, text });
  }
  return { name: path, entries, reportUnknown: false };
}

/** The content of a secret file without its final line end; null when it is not a file. */
function secretText(file: string): string | null {
  const status = statSync(file);
  if (!status.isFile()) return null;
  if (status.size > MAX_SECRET_FILE_BYTES) throw new SourceError(`${file}: expected at most ${MAX_SECRET_FILE_BYTES} bytes`);
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
}

/** The result of `read`; throws a sentence that names the file or folder that this account cannot read. */
function reading<T>(path: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${path}: expected a ${what} that can be read, because AppOptions:EnableDockerSecrets is on`);
  }
}

function flatten(value: object, above: readonly string[], entries: Map<string, Entry>, file: string): void {
  if (above.length >= MAX_DEPTH) throw new SourceError(`${file}: expected at most ${MAX_DEPTH} levels`);
  const children = Object.entries(value);
  for (const [name, child] of children) {
    const path = [...above, name];
    if (typeof child === 'object' && child !== null) {
      flatten(child, path, entries, file);
      if (Array.isArray(child) && child.length === 0) add(path, '');
    } else add(path, child === null ? '' : String(child));
  }
  function add(path: readonly string[], text: string): void {
    const key = path.join(':').replaceAll('__', ':');
    entries.set(key.toLowerCase(), { name: `${key} in ${file}`, text });
  }
}
