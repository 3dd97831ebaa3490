import { RefusedError } from '../failures.js';

/*
 * What the agent and the program of a session tell each other, a line of JSON each: the agent one order on the program's standard input,
 * which it leaves open for as long as the session may last; the program one answer on its standard output.
 */

/** The task of a program. */
export interface SessionOrder {
  /** `release`: lift keys and buttons that a program which was killed has left down. */
  readonly task: 'session' | 'release';
  readonly sessionId: string;
  /** The relay's address, with the token of the session. */
  readonly relayUri: string;
  readonly viewerName: string;
  readonly isNotified: boolean;
  readonly isConsentRequired: boolean;
  /** Number of the place where the notice of the session stands. */
  readonly place: number;
}

/** A program that cannot show the desktop. */
interface SessionRefusal {
  readonly isReady: false;
  /** Sentence for the viewer. */
  readonly refused: string;
  /** True if the X server does not let the program in. */
  readonly isKeptOut: boolean;
}

/** The answer of a program. */
export type SessionAnswer = { readonly isReady: true } | SessionRefusal;

/** Longest line. */
export const MAX_LINE_LENGTH = 64 * 1024;

export function writeLine(value: SessionOrder | SessionAnswer): string {
  return `${JSON.stringify(value)}\n`;
}

/** Reads an answer. A program that has printed something else has failed. */
export function readAnswer(line: string): SessionAnswer {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && 'isReady' in value) {
      if (value.isReady === true) return { isReady: true };
      if ('refused' in value && typeof value.refused === 'string')
        return { isReady: false, refused: value.refused, isKeptOut: 'isKeptOut' in value && value.isKeptOut === true };
    }
  } catch {
    // The sentence below says it.
  }
  throw new RefusedError('The program of the remote control session has failed.');
}

/** Reads an order. The agent has written it, so that what does not fit is a fault of the program. */
export function readOrder(line: string): SessionOrder {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new Error('The order is no object.');
  const order = value as Partial<SessionOrder>;
  return {
    task: order.task === 'release' ? 'release' : 'session',
    sessionId: String(order.sessionId),
    relayUri: String(order.relayUri),
    viewerName: String(order.viewerName),
    isNotified: order.isNotified === true,
    isConsentRequired: order.isConsentRequired === true,
    place: order.place ?? 0,
  };
}
