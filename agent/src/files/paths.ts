import * as path from 'node:path';
import { RefusedError } from '../failures.js';

/** File systems limit names to this many bytes. */
const MAX_NAME_BYTES = 255;
/** Device names that Windows reserves in every directory, with any extension. */
const WINDOWS_RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
const WINDOWS_FORBIDDEN = /[<>:"|?*\\]/;

/**
 * Returns the reason why a name from outside cannot be one segment of a path; undefined if it can. Names are treated as hostile: no name
 * passes that leaves the directory or names a device.
 */
export function nameProblem(name: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (name.trim() === '') return 'The name must not be empty.';
  if (name === '.' || name === '..') return 'The name must not be a relative directory.';
  if (name.includes('/') || name.includes('\0')) return 'The name must not contain a path separator.';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'The name is too long.';
  if (platform !== 'win32') return undefined;
  if (WINDOWS_FORBIDDEN.test(name) || hasControlCharacter(name)) return 'The name contains a character that is not allowed.';
  if (WINDOWS_RESERVED.test(name) || /[. ]$/.test(name)) return 'The name is reserved.';
  return undefined;
}

function hasControlCharacter(name: string): boolean {
  return Array.from(name).some((character) => character < ' ');
}

/** The normalised form of an absolute path from outside. Throws RefusedError when the path is not absolute. */
export function absolutePath(text: string): string {
  if (text.includes('\0')) throw new RefusedError('The path must not contain a NUL character.');
  if (!path.isAbsolute(text)) throw new RefusedError('The path must be absolute.');
  return path.resolve(text);
}

/** The path of a name in a directory, both from outside. Throws RefusedError when one of them cannot be used. */
export function pathInDirectory(directory: string, name: string): string {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new RefusedError(problem);
  return path.join(absolutePath(directory), name);
}

/** The parts of an absolute path, the root first: `/a/b` is `/`, `a`, `b`. */
export function pathSegments(absolute: string): string[] {
  const { root } = path.parse(absolute);
  return [root, ...absolute.slice(root.length).split(path.sep).filter(Boolean)];
}

/** True when the path is the root of a file system, which must not be deleted. */
export function isRoot(absolute: string): boolean {
  return path.parse(absolute).root === absolute;
}

/** True when `inner` is below `folder`; both absolute and with their links resolved. */
export function isInside(inner: string, folder: string): boolean {
  const relative = path.relative(folder, inner);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
