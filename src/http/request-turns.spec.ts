import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, it } from 'vitest';

import { RequestTurns } from './request-turns.js';

const REQUESTS = 60;
/** Requests of a millisecond each: the budget of a turn is used up after one of them, when the next may have begun. */
const MOST_IN_A_TURN = 2;

function busyMillisecond(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

function requestOf(socket: { readonly destroyed: boolean }): IncomingMessage {
  return { socket } as IncomingMessage;
}

describe('RequestTurns', () => {
  it('begins a few requests of a flood in each turn of the event loop, in order', async () => {
    const begun: IncomingMessage[] = [];
    const turns = new RequestTurns((request) => {
      begun.push(request);
      busyMillisecond();
    });
    const flood = Array.from({ length: REQUESTS }, () => requestOf({ destroyed: false }));
    for (const request of flood) turns.take(request, {} as ServerResponse);

    while (begun.length < REQUESTS) {
      const before = begun.length;
      await new Promise((resolve) => setImmediate(resolve));
      expect(begun.length - before).toBeLessThanOrEqual(MOST_IN_A_TURN);
    }
    expect(begun).toEqual(flood);
  });

  it('forgets a request whose client has left meanwhile', async () => {
    const begun: unknown[] = [];
    const turns = new RequestTurns((request) => begun.push(request));
    const [gone, there] = [requestOf({ destroyed: true }), requestOf({ destroyed: false })];
    turns.takeLater(gone, {} as ServerResponse);
    turns.takeLater(there, {} as ServerResponse);
    while (begun.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([there]);
  });
});
