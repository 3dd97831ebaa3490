/** How long a terminal may talk to nobody: a viewer that lost its connection comes back within seconds. */
const GRACE_MS = 60_000;
/** Terminals of one agent that are kept in mind; honest agents have fewer. */
const MAXIMUM_TERMINALS = 256;

/**
 * The terminals of one agent whose output reaches nobody. A program that prints for ever keeps its terminal from ending by
 * itself, and when its viewer has gone there is nobody left who would close it.
 */
export class UnheardTerminals {
  /** When output was first lost, by terminal. */
  private readonly since = new Map<string, number>();

  /** Output arrived: the terminal has a reader. */
  heard(terminalId: string): void {
    this.since.delete(terminalId);
  }

  /** Output was lost, `now` in milliseconds. True when that has gone on for too long, once in each such time. */
  lost(terminalId: string, now: number): boolean {
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
