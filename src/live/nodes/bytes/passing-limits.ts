/** Most requests and upgrades that a node passes on to others at a time. */
export class PassingLimits {
  readonly forwarded: number = 1_000;
  readonly spliced: number = 10_000;
}
