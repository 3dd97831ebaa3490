import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { discardRest } from './discard-rest.js';

const PIECES = 5;
const SENDERS = 20;
/** Most pieces that the readers of all senders may take in one turn. */
const MOST_IN_A_TURN = 4;

/** A request of which some pieces have arrived. */
function requestOf(pieces: number): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  for (let piece = 0; piece < pieces; piece++) request.push(Buffer.alloc(1_000));
  request.push(null);
  return request;
}

describe('the rest of refused requests', () => {
  it('is read a little in each turn of the event loop, of each sender in turn, to its end', async () => {
    const requests = Array.from({ length: SENDERS }, () => requestOf(PIECES));
    const read = requests.map(() => 0);
    for (const [index, request] of requests.entries()) request.pause().on('data', () => (read[index] += 1));
    const ends = Promise.all(requests.map((request) => once(request, 'end')));
    for (const request of requests) discardRest(request);

    const total = (): number => read.reduce((sum, each) => sum + each, 0);
    const turns: number[] = [];
    for (let before = 0; before < SENDERS * PIECES; before = total()) {
      await nextTurn();
      turns.push(total() - before);
      expect(Math.max(...read) - Math.min(...read)).toBeLessThanOrEqual(1);
    }
    expect(Math.max(...turns)).toBeLessThanOrEqual(MOST_IN_A_TURN);
    await ends;
  });

  it('is left alone where everything has arrived, or the sender has stopped', () => {
    const whole = Object.assign(requestOf(1), { complete: true });
    const gone = requestOf(1).destroy();
    for (const request of [whole, gone]) {
      discardRest(request);
      expect(request.listenerCount('data')).toBe(0);
    }
  });
});
