/*
 * Paths of devices, of Windows and of everything else. The form of a path tells which: the platform of a device may be unknown.
 */

export interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** `C:\…` and `\\server\…` are of Windows. */
const isWindowsPath = (path: string): boolean => /^[a-z]:([\\/]|$)|^\\\\/i.test(path);

const separatorOf = (path: string): '\\' | '/' => (isWindowsPath(path) ? '\\' : '/');

/** Beginning of a path that going up never leaves: `/`, `C:\`, `\\server\share\`. */
function rootOf(path: string): string {
  if (!isWindowsPath(path)) return '/';
  const share = /^\\\\[^\\]+\\[^\\]+/.exec(path)?.[0];
  return share === undefined ? `${path.slice(0, 2)}\\` : `${share}\\`;
}

/** The path without a separator at its end, but for that of a root. */
export function normalized(path: string): string {
  const text = isWindowsPath(path) ? path.replaceAll('/', '\\') : path;
  const root = rootOf(text);
  if (text.length < root.length) return root;
  const rest = text.slice(root.length);
  const separator = separatorOf(text);
  return root + rest.split(separator).filter(Boolean).join(separator);
}

/** Each folder on the way to a path, the root first. */
export function crumbsOf(path: string): Crumb[] {
  const whole = normalized(path);
  const root = rootOf(whole);
  const separator = separatorOf(whole);
  const names = whole.slice(root.length).split(separator).filter(Boolean);
  const crumbs = names.map((name, index) => ({ name, path: root + names.slice(0, index + 1).join(separator) }));
  return [{ name: root === '/' ? '/' : root.slice(0, -1), path: root }, ...crumbs];
}

/** The folder above; null of a root. */
export const parentOf = (path: string): string | null => crumbsOf(path).at(-2)?.path ?? null;

/** The path of something in a folder. */
export function joined(folder: string, ...names: readonly string[]): string {
  const start = normalized(folder);
  const separator = separatorOf(start);
  return [start.endsWith(separator) ? start.slice(0, -1) : start, ...names].join(separator);
}
