/** The database cannot be used. The message gives the operator the remedy. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}
