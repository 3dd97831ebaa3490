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
