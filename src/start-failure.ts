import { LocalPostgresError } from '#libs/local-postgres';

import { DomainError } from './common/errors.js';
import { ConfigurationError } from './config/load-settings.js';
import { DatabaseError } from './database/open-data-source.js';
import { AddressError } from './listen.js';

/** Errors whose message is a sentence for the operator: a wrong option, an unreachable database, a taken port. */
const FOR_OPERATORS = [ConfigurationError, LocalPostgresError, DatabaseError, DomainError, AddressError];

/** What is printed when the service cannot start: the sentence where there is one, else everything that helps to find the fault. */
export function explainStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return FOR_OPERATORS.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
