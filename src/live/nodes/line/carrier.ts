/** A message that a node hears. */
export interface Heard {
  readonly subject: string;
  /** Subject for the answer; empty when none is expected. */
  readonly reply: string;
  readonly payload: Uint8Array;
}

/** Receives what a carrier hears. */
export interface CarrierListener {
  message(heard: Heard): void;
  /** A message with this reply subject had no receiver, and was dropped. */
  nobody(reply: string): void;
  /** The connection is there, for the first time or again. What was sent in between is lost. */
  up(): void;
  /** The connection is away: nothing is heard, and nothing can be sent. */
  down(): void;
}

/** Most bytes of a message. */
export const MAXIMUM_MESSAGE_BYTES = 2 * 1_024 * 1_024;

/** A server that carries messages. */
export interface ServerOfLine {
  /** Host and port. */
  readonly address: string;
  readonly version: string;
  /** Name of its cluster; null if it stands alone. */
  readonly cluster: string | null;
  /** Addresses at which it says that its cluster takes nodes; none if it stands alone. */
  readonly known: readonly string[];
}

/** Carries messages between nodes, in order from one sender to one subject, each at most once. */
export interface Carrier {
  isUp(): boolean;
  /** The server that carries the messages; null while the connection is away. */
  server(): ServerOfLine | null;
  /** Sends a message, or drops it while the connection is away. */
  publish(subject: string, payload: Uint8Array, reply?: string): void;
  /** Ends the connection once what was sent has left. */
  close(): Promise<void>;
}

/** Subjects of one format of messages. */
export const SUBJECTS = {
  /** Calls of a node. */
  node: (nodeId: string) => `dm.1.node.${nodeId}`,
  /** Answers to a node, and the carrier's word that nobody heard the batch with this number. */
  answer: (nodeId: string, number: number) => `dm.1.answer.${nodeId}.${number}`,
  answers: (nodeId: string) => `dm.1.answer.${nodeId}.*`,
  /** Signals to all nodes. */
  all: 'dm.1.*',
  changed: 'dm.1.changed',
  toast: 'dm.1.toast',
  here: 'dm.1.here',
} as const;
