/** The bundled server cannot be used. The message tells the operator the problem and its solution. */
export class LocalPostgresError extends Error {
  override readonly name = 'LocalPostgresError';
}

/** Ends the messages about problems that another server would solve. */
export const USE_OWN_SERVER = 'Otherwise name a PostgreSQL server of your own in the configuration.';

/** Checks that an error of the file system or of a program has one of the given codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
