/** A terminal as one viewer has it. */
export interface ViewedTerminal {
  readonly viewer: string;
  readonly terminal: string;
}

interface LastOutput {
  readonly from: string;
  readonly number: number;
  readonly outcome: Promise<boolean>;
}

/** Most terminals that are remembered of one viewer; it cannot have more at once. */
const MAXIMUM_TERMINALS = 512;

/**
 * The last output of each terminal that another node has passed on. A node sends an output again when it does not know whether it arrived:
 * its numbers grow, and it has one output of a terminal under way at a time.
 */
export class RepeatedOutputs {
  private readonly viewers = new Map<string, Map<string, LastOutput>>();

  /** Shows an output, or answers with the outcome of the showing before. */
  once({ viewer, terminal }: ViewedTerminal, from: string, number: number, show: () => Promise<boolean>): Promise<boolean> {
    const terminals = this.viewers.get(viewer) ?? new Map<string, LastOutput>();
    const last = terminals.get(terminal);
    if (last?.from === from && number <= last.number) return last.outcome;
    const outcome = show();
    terminals.delete(terminal);
    const [oldest] = terminals.keys();
    if (terminals.size >= MAXIMUM_TERMINALS && oldest !== undefined) terminals.delete(oldest);
    terminals.set(terminal, { from, number, outcome });
    this.viewers.set(viewer, terminals);
    // An output for a viewer that is not here (any more) leaves nothing behind.
    outcome.then(
      (isTaken) => void (isTaken || this.forget({ viewer, terminal }, number)),
      () => this.forget({ viewer, terminal }, number),
    );
    return outcome;
  }

  /** Forgets a viewer that has left. */
  left(viewer: string): void {
    this.viewers.delete(viewer);
  }

  private forget({ viewer, terminal }: ViewedTerminal, number: number): void {
    const terminals = this.viewers.get(viewer);
    if (terminals?.get(terminal)?.number === number) terminals.delete(terminal);
    if (terminals?.size === 0) this.viewers.delete(viewer);
  }
}
