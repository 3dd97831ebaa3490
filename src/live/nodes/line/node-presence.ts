/** Time without a word after which a node counts as unreachable, in milliseconds. */
export const UNHEARD_AFTER_MS = 5_000;
/** A timer that comes later by so much says that this process stood still. */
const STOOD_STILL_MS = 1_000;
/** Most nodes that are remembered; more are none of a real installation. */
const MAXIMUM_NODES = 256;

/**
 * Nodes that were heard recently. It decides about calls only: which node is gone is judged in the database. Times are milliseconds of the
 * monotonic clock.
 */
export class NodePresence {
  private readonly heardAt = new Map<string, number>();
  private lookedAt: number;

  constructor(
    private readonly ownId: string,
    now: number,
  ) {
    this.lookedAt = now;
    this.heardAt.set(ownId, now);
  }

  /** True if this node hears itself, so that its way over the carrier works in both directions. */
  isHeardByItself(now: number): boolean {
    return this.isHeard(this.ownId, now);
  }

  /** Checks that calls may be sent to a node. One that was never heard may have just started. */
  reaches(nodeId: string, now: number): boolean {
    return this.heardAt.get(nodeId) === undefined || this.isHeard(nodeId, now);
  }

  /** The other nodes that were heard recently. */
  heard(now: number): readonly string[] {
    return [...this.heardAt.keys()].filter((id) => id !== this.ownId && this.isHeard(id, now));
  }

  /** Milliseconds since each node was heard for the last time. */
  silences(now: number): ReadonlyMap<string, number> {
    return new Map([...this.heardAt].map(([id, at]) => [id, now - at]));
  }

  /** Notes a node's word. Returns false for one node too many. */
  hear(nodeId: string, now: number): boolean {
    if (!this.heardAt.has(nodeId) && this.heardAt.size >= MAXIMUM_NODES) return false;
    this.heardAt.set(nodeId, now);
    return true;
  }

  /** Forgets a node that has said that it ends, or whose row is gone. */
  forget(nodeId: string): void {
    if (nodeId !== this.ownId) this.heardAt.delete(nodeId);
  }

  /** Gives every node its time again, after the connection was away. */
  excuseAll(now: number): void {
    for (const id of this.heardAt.keys()) this.heardAt.set(id, now);
  }

  /**
   * Looks at the clock, once in `intervalMs`, and returns the nodes that are newly unheard. After a pause of this process all get their time
   * again: it was this node that did not hear.
   */
  look(now: number, intervalMs: number): readonly string[] {
    const before = this.lookedAt;
    this.lookedAt = now;
    if (now - before > intervalMs + STOOD_STILL_MS) {
      this.excuseAll(now);
      return [];
    }
    const isNew = (at: number): boolean => now - at > UNHEARD_AFTER_MS && before - at <= UNHEARD_AFTER_MS;
    return [...this.heardAt].filter(([id, at]) => id !== this.ownId && isNew(at)).map(([id]) => id);
  }

  private isHeard(nodeId: string, now: number): boolean {
    const at = this.heardAt.get(nodeId);
    return at !== undefined && now - at <= UNHEARD_AFTER_MS;
  }
}
