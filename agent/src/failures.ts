/** An error whose message is meant for the person who made the request. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'The path does not exist.',
  EACCES: 'Permission denied.',
  EPERM: 'Permission denied.',
  EROFS: 'The file system is read-only.',
  EBUSY: 'The file is in use.',
  ETXTBSY: 'The file is in use.',
  EEXIST: 'File already exists.',
  ENOSPC: 'There is no space left on the device.',
  EDQUOT: 'There is no space left on the device.',
  ENOTDIR: 'A part of the path is no directory.',
  EISDIR: 'The path is a directory.',
  ENAMETOOLONG: 'The name is too long.',
  ELOOP: 'The path has too many symbolic links.',
  EMFILE: 'Too many files are open on the device.',
};

/** Explains a failure in a sentence for the person who made the request. */
export function reasonOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  const code = codeOf(error);
  if (code !== undefined) return REASONS[code] ?? `The operation failed (${code}).`;
  return messageOf(error) || 'The operation failed.';
}

/** The system's error code, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The message of a thrown value, which need not be an Error. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}

/** True when the error says that there is nothing at the path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** True when the error says that the agent's account lacks permission. */
export function isRefusedAccess(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EACCES' || code === 'EPERM';
}

/** True when the operating system refused an operation, such as writing to a folder. The message says which one. */
export function isSystemFault(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(codeOf(error) ?? '');
}
