import { LocalPostgresError } from '#libs/local-postgres';

import { BundleKeyError } from './devices/agent-updates/bundle-key-error.js';
import { AddressError } from './platform/http/address-error.js';
import { DatabaseError } from './platform/common/errors/database-error.js';
import { DomainError } from './platform/common/errors/errors.js';
import { ConfigurationError } from './platform/config/load-settings.js';
import { BackupError } from './system/backups/backup-error.js';
import { FrontEndError } from './system/web/front-end.js';

/** Errors whose message is written for the operator: an invalid option, an unreachable database, a port in use. */
const FOR_OPERATORS = [
  ConfigurationError,
  LocalPostgresError,
  DatabaseError,
  DomainError,
  AddressError,
  BackupError,
  FrontEndError,
  BundleKeyError,
];

/** The text for a failed start: the message if it is written for the operator, else the full error with its stack. */
export function explainStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return FOR_OPERATORS.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
