import { describe, expect, it } from 'vitest';
import { type HubMessage, MessageType } from '../protocol/messages.js';
import { Replay } from './replay.js';

const PING: HubMessage = { type: MessageType.Ping };
const CALL: HubMessage = { type: MessageType.Invocation, target: 'Say', arguments: [] };
const SEQUENCE: HubMessage = { type: MessageType.Sequence, sequenceId: 1 };

const replayOf = (replayBufferSize = 10): Replay => new Replay({ replayBufferSize });

/** Whether each of so many calls is taken. */
function calls(count: number, replay: Replay): boolean[] {
  return Array.from({ length: count }, () => replay.admits(CALL));
}

describe('what was sent', () => {
  it('is kept until it is acknowledged', () => {
    const replay = replayOf();
    for (const frame of ['one', 'two', 'three']) replay.keep(frame);
    expect(replay.unacknowledged).toEqual({ first: 1, frames: ['one', 'two', 'three'] });
    replay.acknowledge(2);
    expect(replay.unacknowledged).toEqual({ first: 3, frames: ['three'] });
    replay.acknowledge(1);
    replay.acknowledge(3);
    expect(replay.unacknowledged).toEqual({ first: 4, frames: [] });
    replay.keep('four');
    expect(replay.unacknowledged).toEqual({ first: 4, frames: ['four'] });
  });

  it('fills the buffer until it is acknowledged', () => {
    const replay = replayOf(7);
    for (const frame of ['one', 'four', Buffer.of(1)]) replay.keep(frame);
    expect([replay.bytes, replay.isFull]).toEqual([8, true]);
    replay.acknowledge(1);
    expect([replay.bytes, replay.isFull]).toEqual([5, false]);
  });

  it('cannot be acknowledged before it is sent', () => {
    const replay = replayOf();
    replay.keep('one');
    expect(() => replay.acknowledge(2)).toThrow('The client acknowledges a message that it was not sent.');
  });
});

describe('what arrives', () => {
  it('is acknowledged once', () => {
    const replay = replayOf();
    expect(replay.takeAcknowledgement()).toBeUndefined();
    expect(calls(3, replay)).toEqual([true, true, true]);
    expect(replay.takeAcknowledgement()).toBe(3);
    expect(replay.takeAcknowledgement()).toBeUndefined();
  });

  it('is acknowledged soon when it is much', () => {
    const replay = replayOf();
    expect(replay.countBytes(32_767)).toBe(false);
    expect(replay.countBytes(1)).toBe(true);
    replay.takeAcknowledgement();
    expect(replay.countBytes(1)).toBe(false);
  });

  it('has no number when it is about no call', () => {
    const replay = replayOf();
    for (const message of [PING, { type: MessageType.Close }, { type: MessageType.Ack, sequenceId: 0 }] as const) {
      expect(replay.admits(message)).toBe(true);
    }
    expect(replay.takeAcknowledgement()).toBeUndefined();
  });

  it('is dropped over a new socket until the client has said where it goes on', () => {
    const replay = replayOf();
    calls(3, replay);
    replay.lose();
    expect([CALL, PING, SEQUENCE].map((message) => replay.admits(message))).toEqual([false, false, true]);
    replay.comeBack();
    replay.resume(4);
    expect(calls(2, replay)).toEqual([true, true]);
    expect(replay.takeAcknowledgement()).toBe(5);
  });

  it('is dropped when it was received before', () => {
    const replay = replayOf();
    calls(3, replay);
    replay.lose();
    replay.resume(2);
    expect(calls(3, replay)).toEqual([false, false, true]);
    replay.lose();
    replay.resume(1);
    expect(calls(5, replay)).toEqual([false, false, false, false, true]);
  });

  it.each([0, -1, 5])('cannot go on at number %i after three messages', (sequenceId) => {
    const replay = replayOf();
    calls(3, replay);
    replay.lose();
    expect(() => replay.resume(sequenceId)).toThrow('The sequence id leaves out messages that were not received.');
  });
});
