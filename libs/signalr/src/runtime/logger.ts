import { messageOf } from './errors.js';

/** Where the library reports; a Nest `Logger` fits. */
export interface HubLogger {
  debug(message: string): void;
  warn(message: string): void;
  error(message: string, stack?: string): void;
}

export const silentLogger: HubLogger = {
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Logs an error that no caller hears of; `where` says what was going on. */
export function logError(logger: HubLogger, where: string, error: unknown): void {
  logger.error(`${where}: ${messageOf(error)}`, error instanceof Error ? error.stack : undefined);
}
