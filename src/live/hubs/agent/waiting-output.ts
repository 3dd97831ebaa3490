/**
 * Most characters of one terminal's output that may wait for its viewer to read. Agents that send an output only after the one before was
 * answered have one waiting. Others have this much room, which is fifty of their outputs.
 */
const MAXIMUM_OF_TERMINAL = 1_048_576;
/** Characters that are added to the length of each output: even an empty one takes memory. */
const COST_OF_OUTPUT = 1_024;
/** Most of all terminals of a viewer together, so that no viewer can fill the memory. */
const MAXIMUM_OF_VIEWER = 8 * MAXIMUM_OF_TERMINAL;
/** Most of all viewers of an agent together: it may make up viewers, whose outputs wait while the database is away. */
const MAXIMUM_OF_AGENT = 2 * MAXIMUM_OF_VIEWER;
/** Most of all agents together, above which each may have that of one terminal only. */
const MAXIMUM_IN_ALL = 16 * MAXIMUM_OF_AGENT;

/** The way of an output: ids of connections, and the terminal of the agent. */
export interface OutputWay {
  readonly agent: string;
  readonly terminal: string;
  readonly viewer: string;
}

/** Characters of terminal output that wait for their viewers, by terminal, by viewer and by agent. */
export class WaitingOutput {
  private inAll = 0;
  private readonly ofAgents = new Map<string, number>();
  private readonly ofTerminals = new Map<string, number>();
  private readonly ofViewers = new Map<string, number>();

  /** True if that much more output of the terminal may wait for the viewer. */
  hasRoom({ agent, terminal, viewer }: OutputWay, length: number): boolean {
    const cost = length + COST_OF_OUTPUT;
    const ofAgent = this.inAll + cost > MAXIMUM_IN_ALL ? MAXIMUM_OF_TERMINAL : MAXIMUM_OF_AGENT;
    return (
      (this.ofTerminals.get(terminal) ?? 0) + cost <= MAXIMUM_OF_TERMINAL &&
      (this.ofViewers.get(viewer) ?? 0) + cost <= MAXIMUM_OF_VIEWER &&
      (this.ofAgents.get(agent) ?? 0) + cost <= ofAgent
    );
  }

  /** Notes that so much output begins to wait. Returns a function that notes its end. */
  add(way: OutputWay, length: number): () => void {
    const cost = length + COST_OF_OUTPUT;
    this.change(way, cost);
    return () => this.change(way, -cost);
  }

  private change({ agent, terminal, viewer }: OutputWay, by: number): void {
    this.inAll += by;
    change(this.ofTerminals, terminal, by);
    change(this.ofViewers, viewer, by);
    change(this.ofAgents, agent, by);
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
