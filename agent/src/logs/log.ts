/** The agent's log. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  /** Logs an error with its cause. */
  error(message: string, cause: unknown): void;
}
