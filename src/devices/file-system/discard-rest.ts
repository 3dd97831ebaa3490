import type { IncomingMessage } from 'node:http';

/** Time for which a refused sender may continue to send before it is cut off. This lets it read the refusal. */
const LINGER_MS = 5_000;
/** Pieces of all refused requests together that a turn of the event loop reads, of up to 64 KiB each: about a tenth of a millisecond. */
const PIECES_IN_A_TURN = 4;

/** Requests that wait for the reading of their next piece, in order. */
let waiting: IncomingMessage[] = [];

/**
 * Reads and drops the rest of a request for a limited time. A sender reads the answer only after it could send everything. Dropped bytes
 * must not delay anything: refused requests share a small part of each turn, at any number and speed.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer));
  // Listening alone would let everything flow.
  request.pause();
  request.on('data', () => {
    request.pause();
    readLater(request);
  });
  readLater(request);
}

function readLater(request: IncomingMessage): void {
  if (waiting.push(request) === 1) setImmediate(readTurn);
}

function readTurn(): void {
  const [due, rest] = [waiting.slice(0, PIECES_IN_A_TURN), waiting.slice(PIECES_IN_A_TURN)];
  waiting = rest;
  if (rest.length > 0) setImmediate(readTurn);
  // Each is paused again by its next piece.
  for (const request of due) request.resume();
}
