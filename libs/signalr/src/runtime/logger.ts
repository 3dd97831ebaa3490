import { messageOf } from './errors.js';

/** Takes the messages of the library; a Nest `Logger` fits. */
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

/** Logs an error that no caller gets; `where` names the activity that failed. */
export function logError(logger: HubLogger, where: string, error: unknown): void {
  logger.error(`${where}: ${messageOf(error)}`, error instanceof Error ? error.stack : undefined);
}
