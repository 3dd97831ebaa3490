/** Limits of the requests and upgrades that a node passes on to others: the most at a time, and a time-out. */
export class PassingLimits {
  readonly forwarded: number = 1_000;
  /** Requests of hub connections. Polls and event streams last, and anybody may open those of an agent: they take no places of the others. */
  readonly ofConnections: number = 2_000;
  readonly spliced: number = 10_000;
  /**
   * Time after which a side is given up that sends nothing and takes nothing of what waits for it, in milliseconds. Nothing is read for it
   * then, not even the end of the other side. Longer than any node waits for a client of its own, so that the home decides first.
   */
  readonly standstillMs: number = 150_000;
}
