/** Time without a word after which a node counts as unreachable, in milliseconds. */
export const UNHEARD_AFTER_MS = 5_000;
/** This node's own word is younger than another one's by so much when it is that node that is not heard, in milliseconds. */
const MISSING_FOR_MS = UNHEARD_AFTER_MS - 1_000;
/** A timer that comes later by so much says that this process stood still. */
const STOOD_STILL_MS = 1_000;
/** Most nodes that are remembered; more are none of a real installation. */
const MAXIMUM_NODES = 256;
/** Time after which a node that is not heard is forgotten, in milliseconds: it has long been judged gone, and its id never comes back. */
const FORGOTTEN_AFTER_MS = 600_000;

/**
 * Nodes that were heard recently. It decides about calls only: which node is gone is judged in the database. Times are milliseconds of the
 * monotonic clock.
 */
export class NodePresence {
  private readonly heardAt = new Map<string, number>();
  /** Numbers of the connections of nodes. */
  private readonly lines = new Map<string, number>();
  /** Numbers of the last signals of nodes. */
  private readonly signals = new Map<string, number>();
  /** Nodes that were missing at the last look. */
  private missing = new Set<string>();
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

  /**
   * Checks that a node is not missing: it was heard, and is not any more, although this node hears itself. One that was never heard may have
   * just started. While this node does not hear itself either, nothing is known of the others.
   */
  reaches(nodeId: string, now: number): boolean {
    const at = this.heardAt.get(nodeId);
    const ownAt = this.heardAt.get(this.ownId) ?? now;
    return at === undefined || now - at <= UNHEARD_AFTER_MS || ownAt - at <= MISSING_FOR_MS;
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

  /** Notes the number of a node's connection. True when it had another one before: what was sent to that may be lost. */
  hasNewLine(nodeId: string, line: number): boolean {
    const before = this.lines.get(nodeId);
    this.lines.set(nodeId, line);
    // It tells by itself what it could not tell in between.
    if (before !== line) this.signals.delete(nodeId);
    return before !== undefined && before !== line;
  }

  /** Notes the number of a signal that was heard. True if the signal before it was not. */
  missesSignalBefore(nodeId: string, number: number): boolean {
    const last = this.signals.get(nodeId);
    if (last === undefined) return false;
    this.signals.set(nodeId, number);
    return number > last + 1;
  }

  /** Notes the number of the last signal that a node says it has sent. True if that one was not heard. */
  missesSignal(nodeId: string, number: number): boolean {
    const last = this.signals.get(nodeId);
    this.signals.set(nodeId, number);
    return last !== undefined && number > last;
  }

  /** Forgets the connections of all nodes, because this node has another one itself: calls of before have ended. */
  forgetLines(): void {
    this.lines.clear();
    this.signals.clear();
  }

  /** Gives every node its time again, after the connection was away. */
  excuseAll(now: number): void {
    for (const id of this.heardAt.keys()) this.heardAt.set(id, now);
  }

  /**
   * Looks at the clock, once in `intervalMs`, and returns the nodes that are newly missing. After a pause of this process all get their time
   * again: it was this node that did not hear.
   */
  look(now: number, intervalMs: number): readonly string[] {
    const before = this.lookedAt;
    this.lookedAt = now;
    if (now - before > intervalMs + STOOD_STILL_MS) {
      this.excuseAll(now);
      this.missing.clear();
      return [];
    }
    for (const [id, at] of this.heardAt) if (id !== this.ownId && now - at > FORGOTTEN_AFTER_MS) this.forget(id);
    const missing = [...this.heardAt.keys()].filter((id) => id !== this.ownId && !this.reaches(id, now));
    const known = this.missing;
    this.missing = new Set(missing);
    return missing.filter((id) => !known.has(id));
  }

  private forget(nodeId: string): void {
    this.heardAt.delete(nodeId);
    this.lines.delete(nodeId);
    this.signals.delete(nodeId);
  }

  private isHeard(nodeId: string, now: number): boolean {
    const at = this.heardAt.get(nodeId);
    return at !== undefined && now - at <= UNHEARD_AFTER_MS;
  }
}
