import { Injectable } from '@nestjs/common';

/** Bounds of the balance between nodes. */
@Injectable()
export class BalanceBounds {
  /** A node with more than this multiple of the mean number of connections lets agents go, */
  readonly above: number = 1.2;
  /** until it has this multiple. */
  readonly downTo: number = 1.1;
  /** Most connections with which a node lets none go: few need no balance. */
  readonly floor: number = 100;
  /** Agents that are let go in a second. */
  readonly perSecond: number = 20;
  /** Age from which a node counts, in milliseconds: before, it may not listen yet. */
  readonly settledMs: number = 15_000;
  /** Agents that are let go before it is known whether they stay away. They come back within half a minute. */
  readonly trial: number = 1_000;
  /** The part of those that must have stayed away. With two nodes it is a half. */
  readonly staysAway: number = 0.25;
  /** Time without another try if they came back, in milliseconds. */
  readonly pauseMs: number = 600_000;
}
