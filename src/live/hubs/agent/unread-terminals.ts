/** Most terminals of one agent whose closing is under way. */
const MAXIMUM_OF_AGENT = 16;

/** The terminals that are being closed because their viewer does not read them, by agent. */
export class UnreadTerminals {
  private readonly ofAgents = new Map<string, Set<string>>();

  /**
   * Closes a terminal, unless that is under way already. An agent may make up terminals: while many of it are being closed, others have to
   * wait for their next output.
   */
  async close(agent: string, terminal: string, close: () => Promise<void>): Promise<void> {
    const closing = this.ofAgents.get(agent) ?? new Set();
    if (closing.has(terminal) || closing.size >= MAXIMUM_OF_AGENT) return;
    this.ofAgents.set(agent, closing.add(terminal));
    try {
      await close();
    } finally {
      closing.delete(terminal);
      if (closing.size === 0) this.ofAgents.delete(agent);
    }
  }
}
