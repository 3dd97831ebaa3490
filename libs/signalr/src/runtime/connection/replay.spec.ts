import { beforeEach, describe, expect, it } from 'vitest';
import { messagePackProtocol } from '../../protocol/messagepack-protocol.js';
import { type HubMessage, MessageType } from '../../protocol/messages.js';
import { ReplayRoom } from '../limits/replay-room.js';
import { Replay } from './replay.js';

const PING: HubMessage = { type: MessageType.Ping };
const CALL: HubMessage = { type: MessageType.Invocation, target: 'Say', arguments: [] };
const SEQUENCE: HubMessage = { type: MessageType.Sequence, sequenceId: 1 };

const NO_ROOM = new ReplayRoom({ sharedReplaySize: 0 });

const replayOf = (replayBufferSize = 10): Replay => new Replay({ replayBufferSize, replayBurstSize: 0 }, NO_ROOM);

/** For each of so many calls, true if it is taken. */
function calls(count: number, replay: Replay): boolean[] {
  return Array.from({ length: count }, () => replay.admits(CALL));
}

describe('a sent message', () => {
  it('is kept until it is acknowledged', () => {
    const replay = replayOf();
    for (const frame of ['one', 'two', 'three']) replay.keep(frame);
    expect(replay.repeated).toEqual({ first: 1, frames: ['one', 'two', 'three'] });
    replay.acknowledge(2);
    expect(replay.repeated).toEqual({ first: 3, frames: ['three'] });
    replay.acknowledge(1);
    replay.acknowledge(3);
    expect(replay.repeated).toEqual({ first: 4, frames: [] });
    replay.keep('four');
    expect(replay.repeated).toEqual({ first: 4, frames: ['four'] });
  });

  it.each([1, 100, 1_000, 3_000])('of %i characters holds no memory of the messages to other clients', (length) => {
    const replay = replayOf();
    const call: HubMessage = { ...CALL, arguments: ['x'.repeat(length)] };
    const sent = Array.from({ length: 100 }, () => {
      messagePackProtocol.write({ ...CALL, arguments: ['y'.repeat(3_000)] });
      const frame = messagePackProtocol.write(call);
      replay.keep(frame);
      return frame;
    });
    const { frames } = replay.repeated;
    expect(frames.every((frame, index) => Buffer.from(frame).equals(Buffer.from(sent[index])))).toBe(true);
    const memory = new Set(frames.map((frame) => (typeof frame === 'string' ? undefined : frame.buffer)));
    const held = [...memory].reduce((sum, buffer) => sum + (buffer?.byteLength ?? 0), 0);
    expect(held).toBeLessThanOrEqual(2 * replay.bytes + 2_048);
  });

  it('fills the buffer until it is acknowledged', () => {
    const replay = replayOf(7);
    for (const frame of ['one', 'four', Buffer.of(1)]) replay.keep(frame);
    expect([replay.bytes, replay.isFull]).toEqual([8, true]);
    replay.acknowledge(1);
    expect([replay.bytes, replay.isFull]).toEqual([5, false]);
  });

  describe('while there is room that clients share', () => {
    const limits = { replayBufferSize: 2, replayBurstSize: 6 };
    let room: ReplayRoom;

    beforeEach(() => {
      room = new ReplayRoom({ sharedReplaySize: 5 });
    });

    it('may exceed the buffer, up to the size of a burst', () => {
      const replay = new Replay(limits, room);
      replay.keep('123456');
      expect(replay.isFull).toBe(false);
      replay.keep('7');
      expect(replay.isFull).toBe(true);
      replay.acknowledge(1);
      expect([replay.isFull, room.isTaken]).toEqual([false, false]);
    });

    it('may fill only the buffer once others have taken the shared room', () => {
      const [other, replay] = [new Replay(limits, room), new Replay(limits, room)];
      other.keep('1234567');
      replay.keep('12');
      expect([room.isTaken, replay.isFull]).toEqual([true, false]);
      replay.keep('3');
      expect(replay.isFull).toBe(true);
      other.acknowledge(1);
      expect([room.isTaken, replay.isFull]).toEqual([false, false]);
    });

    it('gives back its shared room when the connection ends, and takes none after that', () => {
      const replay = new Replay(limits, room);
      replay.keep('1234567');
      expect(room.isTaken).toBe(true);
      replay.end();
      expect(room.isTaken).toBe(false);
      replay.keep('1234567');
      expect(room.isTaken).toBe(false);
    });
  });

  it('is kept when it was sent again, until the client acknowledges a newer one', () => {
    const replay = replayOf();
    for (const frame of ['one', 'two', 'three']) replay.keep(frame);
    replay.lose();
    replay.comeBack();
    // It has counted the first one only when it is lost again, and acknowledges what it had before.
    replay.acknowledge(3);
    expect(replay.bytes).toBe(0);
    replay.lose();
    replay.comeBack();
    expect(replay.repeated).toEqual({ first: 1, frames: ['one', 'two', 'three'] });
    replay.keep('four');
    replay.keep('five');
    replay.acknowledge(4);
    expect([replay.repeated, replay.bytes]).toEqual([{ first: 5, frames: ['five'] }, 4]);
  });

  it('does not fill the buffer any more when it was sent again', () => {
    const replay = replayOf(7);
    for (const frame of ['one', 'three']) replay.keep(frame);
    replay.lose();
    expect(replay.isFull).toBe(true);
    replay.comeBack();
    expect([replay.isFull, replay.bytes]).toEqual([false, 8]);
    for (const frame of ['four', 'five']) replay.keep(frame);
    expect(replay.isFull).toBe(true);
    replay.acknowledge(3);
    expect([replay.isFull, replay.bytes]).toEqual([false, 4]);
  });

  it('cannot be acknowledged before it is sent', () => {
    const replay = replayOf();
    replay.keep('one');
    expect(() => replay.acknowledge(2)).toThrow('The client acknowledges a message that it was not sent.');
  });
});

describe('a message that arrives', () => {
  it('is acknowledged once', () => {
    const replay = replayOf();
    expect(replay.takeAcknowledgement()).toBeUndefined();
    expect(calls(3, replay)).toEqual([true, true, true]);
    expect(replay.takeAcknowledgement()).toBe(3);
    expect(replay.takeAcknowledgement()).toBeUndefined();
  });

  it('is acknowledged soon when it is large', () => {
    const replay = replayOf();
    expect(replay.countBytes(32_767)).toBe(false);
    expect(replay.countBytes(1)).toBe(true);
    replay.takeAcknowledgement();
    expect(replay.countBytes(1)).toBe(false);
  });

  it('is acknowledged again when the client comes back without the acknowledgement', () => {
    const replay = replayOf();
    calls(3, replay);
    expect(replay.takeAcknowledgement()).toBe(3);
    replay.lose();
    replay.comeBack();
    replay.resume(2);
    calls(1, replay);
    expect(replay.takeAcknowledgement()).toBe(3);
    expect(replay.takeAcknowledgement()).toBeUndefined();
  });

  it('may be left out when it was received before, however often the client has come back since', () => {
    const replay = replayOf();
    calls(3, replay);
    replay.lose();
    replay.resume(1);
    expect(calls(1, replay)).toEqual([false]);
    replay.lose();
    replay.resume(4);
    expect(calls(1, replay)).toEqual([true]);
  });

  it('has no number when it is about no call', () => {
    const replay = replayOf();
    for (const message of [PING, { type: MessageType.Close }, { type: MessageType.Ack, sequenceId: 0 }] as const) {
      expect(replay.admits(message)).toBe(true);
    }
    expect(replay.takeAcknowledgement()).toBeUndefined();
  });

  it('is dropped over a new socket until the client has named the number at which it goes on', () => {
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

  it.each([0, -1, 5])('cannot have number %i after three messages and the loss of the socket', (sequenceId) => {
    const replay = replayOf();
    calls(3, replay);
    replay.lose();
    expect(() => replay.resume(sequenceId)).toThrow('The sequence id leaves out messages that were not received.');
  });
});
