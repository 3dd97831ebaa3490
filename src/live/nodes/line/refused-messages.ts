import { Logger } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';

/** Time in which only one message is logged, in milliseconds. */
const WINDOW_MS = 60_000;

/** Counts messages that no node of this release sends, and logs them once a minute. */
export class RefusedMessages {
  private readonly logger = new Logger('Nodes');
  private readonly counter = metrics.getMeter('nodes').createCounter('nodes.refused', {
    unit: '{message}',
    description: 'Messages of other nodes that were dropped because they have no known form or sender, by kind.',
  });
  private unlogged = 0;
  private loggedAt = Number.NEGATIVE_INFINITY;

  /** Notes a message, by its kind. */
  note(kind: string): void {
    this.counter.add(1, { kind });
    const now = performance.now();
    if (now - this.loggedAt < WINDOW_MS) {
      this.unlogged += 1;
      return;
    }
    this.logger.warn({
      message: 'A message on the subjects of nodes was dropped: it has no known form.',
      kind,
      furtherBefore: this.unlogged,
    });
    this.unlogged = 0;
    this.loggedAt = now;
  }
}
