/** The bundled server cannot be used. The message says what is wrong and what an operator can do about it. */
export class LocalPostgresError extends Error {
  override readonly name = 'LocalPostgresError';
}

/** The sentence that ends every message whose cure may be a server of the operator's own. */
export const USE_OWN_SERVER = 'Otherwise name a PostgreSQL server of your own in the configuration.';

/** Tells whether a failure of the file system or of a spawned program carries one of the given codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
