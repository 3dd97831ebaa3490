/** The database cannot be used. The message tells an operator what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}
