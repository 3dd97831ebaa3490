/** The injection token of {@link LineToNodes}. A service of one node provides nothing under it. */
export const LINE_TO_NODES = Symbol('LineToNodes');

/** State of the line to other nodes. */
export interface LineStanding {
  /** True while NATS carries what this node says. */
  readonly isUp: boolean;
  /** The server of NATS that this node is connected to; null while it is away. */
  readonly server: string | null;
  /** Ids of nodes that report to the database and are not heard: they have another NATS, or are cut off. */
  readonly unheard: readonly string[];
}

/** The line as the page of nodes shows it. */
export interface LineReport {
  /** The server of NATS that this node is connected to; null while it is away. */
  readonly server: {
    readonly address: string;
    readonly version: string;
    /** Name of its cluster; null if it stands alone. */
    readonly cluster: string | null;
    /** Addresses at which it says that its cluster takes nodes. */
    readonly known: readonly string[];
  } | null;
  /** Time of a message to NATS and back, in milliseconds; null before the first. */
  readonly roundTripMs: number | null;
  /** Milliseconds since each node was heard for the last time, this one among them. */
  readonly silences: ReadonlyMap<string, number>;
}

/** The line of this process to the other nodes. */
export interface LineToNodes {
  standing(): Promise<LineStanding>;
  report(): LineReport;
}
