import { DatabaseError } from '../../common/errors/database-error.js';
import { messageOf } from '../../common/errors/errors.js';
import { codeOf } from '../../common/errors/system-error.js';

/** SQLSTATE of a statement for which the account lacks the privilege. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** The error for a database that does not let this process in. */
export function unreachable(error: unknown): DatabaseError {
  return new DatabaseError(`The database cannot be reached: ${messageOf(error)}${hintOn(error)}`, { cause: error });
}

/** Advice for an operator, when the message of the driver does not give it. */
export function hintOn(error: unknown): string {
  // The message of the driver when the server asks for a password and none is configured.
  if (messageOf(error).includes('password must be a string')) return '. The server asks for a password, and none is configured';
  return codeOf(error) === INSUFFICIENT_PRIVILEGE ? '. The account must own the database or its schema "public"' : '';
}
