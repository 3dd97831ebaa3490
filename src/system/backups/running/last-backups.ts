/** The last nightly backups. */
export interface LastNightly {
  /** Begin of the last one. */
  readonly attemptAt: Date | null;
  /** Begin of the last one that is complete. */
  readonly successAt: Date | null;
}

/** The last backups, of any kind. */
export interface LastBackups {
  /** End of the last one that is complete. */
  readonly successAt: Date | null;
  readonly size: number | null;
  /** Reason of the last one if it failed. */
  readonly failure: string | null;
}
