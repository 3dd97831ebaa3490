/** The time for which the output of a terminal may be dropped. A viewer that lost its connection comes back within seconds. */
const GRACE_MS = 60_000;
/** Most terminals of one agent that are tracked. A valid agent has fewer. */
const MAXIMUM_TERMINALS = 256;

/**
 * The terminals of one agent whose output no viewer receives. They must be closed: a program that keeps printing never
 * ends, and the viewer that could close its terminal is gone.
 */
export class OrphanedTerminals {
  /** The times at which output was first dropped, by terminal. */
  private readonly since = new Map<string, number>();

  /** Notes that output reached a viewer. */
  delivered(terminalId: string): void {
    this.since.delete(terminalId);
  }

  /** Notes at `now` (milliseconds) that output was dropped. True when this has lasted too long; then false for the same time again. */
  dropped(terminalId: string, now: number): boolean {
    const since = this.since.get(terminalId);
    if (since === undefined) {
      if (this.since.size < MAXIMUM_TERMINALS) this.since.set(terminalId, now);
      return false;
    }
    if (now - since < GRACE_MS) return false;
    this.since.delete(terminalId);
    return true;
  }
}
