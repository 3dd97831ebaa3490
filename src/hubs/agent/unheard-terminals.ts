/** How long the output of a terminal may reach nobody. A viewer that lost its connection comes back within seconds. */
const GRACE_MS = 60_000;
/** Terminals of one agent that are kept. An honest agent has fewer. */
const MAXIMUM_TERMINALS = 256;

/**
 * The terminals of one agent whose output reaches nobody. Such a terminal has to be closed: one that goes on printing never ends
 * by itself, and the viewer that could close it has gone.
 */
export class UnheardTerminals {
  /** When output was first lost, by terminal. */
  private readonly since = new Map<string, number>();

  /** Output arrived: the terminal has a reader. */
  heard(terminalId: string): void {
    this.since.delete(terminalId);
  }

  /** Output was lost; `now` is in milliseconds. True when that has gone on for too long, and then not again before as long a time. */
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
