import { describe, expect, it } from 'vitest';

import { CloseCode, ProtocolViolation } from '../pipe/frames.js';
import { HeldMessage, HeldRoom } from './held-message.js';

const KIB = 1_024;

describe('messages that are not complete', () => {
  it('are put together from their pieces', () => {
    const held = new HeldMessage(new HeldRoom(100 * KIB).of('tenant'));
    const bytes = Buffer.from('a message in three pieces');
    for (const [start, end] of [
      [0, 2],
      [2, 9],
      [9, bytes.length],
    ])
      held.add(bytes, start, end);
    expect(held.bytes.toString()).toBe(bytes.toString());
    held.clear();
    expect(held.isEmpty).toBe(true);
  });

  it('share a room, and give back what they have taken', () => {
    const room = new HeldRoom(10 * KIB).of('tenant');
    const [first, second] = [new HeldMessage(room), new HeldMessage(room)];
    first.add(Buffer.alloc(7 * KIB), 0, 7 * KIB);
    let refusal: unknown;
    try {
      second.add(Buffer.alloc(4 * KIB), 0, 4 * KIB);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(ProtocolViolation);
    expect(refusal).toMatchObject({ code: CloseCode.TryAgainLater, message: 'The relay holds too many unfinished messages.' });
    first.clear();
    second.clear();
    second.add(Buffer.alloc(8 * KIB), 0, 8 * KIB);
    expect(second.bytes).toHaveLength(8 * KIB);
  });

  it('of one tenant leave room for those of others', () => {
    const room = new HeldRoom(100 * KIB);
    const greedy: HeldMessage[] = [];
    const takeAll = (): void => {
      for (;;) {
        const message = new HeldMessage(room.of('greedy'));
        message.add(Buffer.alloc(KIB), 0, KIB);
        greedy.push(message);
      }
    };
    expect(takeAll).toThrow(ProtocolViolation);
    const other = new HeldMessage(room.of('other'));
    other.add(Buffer.alloc(2 * KIB), 0, 2 * KIB);
    expect(other.bytes).toHaveLength(2 * KIB);
    for (const message of greedy) message.clear();
    other.add(Buffer.alloc(40 * KIB), 0, 40 * KIB);
    expect(other.bytes).toHaveLength(42 * KIB);
  });
});
