import { Logger } from '@nestjs/common';
import type { Logger as TypeOrmLogger } from 'typeorm';

const FAILED = /^Migration "(\w+)" failed/;

/**
 * Keeps TypeORM's lines about migrations out of the log, where its default logger prints them in no format of the service, and remembers which
 * migration failed, which the error does not say. Statements are left out as well: their parameters are hashes and addresses.
 */
export class MigrationLogger implements TypeOrmLogger {
  /** Name of the migration that failed last; null for none. */
  failed: string | null = null;

  logMigration(message: string): void {
    this.failed = FAILED.exec(message)?.[1] ?? this.failed;
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    if (level === 'warn') new Logger('Database').warn(message);
  }

  logQuery(): void {
    // Left out.
  }

  logQueryError(): void {
    // Left out: it is thrown as well.
  }

  logQuerySlow(): void {
    // Left out.
  }

  logSchemaBuild(): void {
    // Left out.
  }
}
