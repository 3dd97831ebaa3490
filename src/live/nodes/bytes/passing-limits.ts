/** Most requests and upgrades that a node passes on to others at a time. */
export class PassingLimits {
  readonly forwarded: number = 1_000;
  /** Requests of hub connections. Polls and event streams last, and anybody may open those of an agent: they take no places of the others. */
  readonly ofConnections: number = 2_000;
  readonly spliced: number = 10_000;
}
