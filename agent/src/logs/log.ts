/** Where the agent tells what happens. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  /** A fault, with its cause. */
  error(message: string, cause: unknown): void;
}
