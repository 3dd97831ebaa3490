import { createHash } from 'node:crypto';

import type { Enrolment } from '../../support/devices/reporting-device.js';

/** Nodes that a load goes to. */
export interface LoadedNodes {
  /** Address of a node: of another one each time, also of one that is away. */
  next(): string;
  /** Headers of an account that may do everything. */
  readonly headers: Record<string, string>;
  readonly enrolment: Enrolment;
  /** Checks that the node at an address has stood still since a time of the monotonic clock, or does. */
  stoodStill(url: string, since: number): boolean;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Items that are in the list more than once. */
export function repeatedIn<T>(items: readonly T[]): readonly T[] {
  return items.filter((item, index) => items.indexOf(item) !== index);
}
