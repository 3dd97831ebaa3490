import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';

import { exampleValues } from './example-messages.fixture.js';
import { encodeMessage } from './message-codec.js';
import { LONGEST_HEAD, readStrict, readType, timeOf } from './strict-form.js';

const PAYLOAD = Uint8Array.of(0x90);
const frame = { DtoType: 30, Payload: PAYLOAD, SendTimestamp: 7 };
const strict = encode(frame);
const text = (name: string): number[] => [...encode(name)];
/** The members of the frame after its map. */
const members = [...strict.subarray(1)];

function withTime(...time: number[]): Uint8Array {
  return Uint8Array.from([...strict.subarray(0, -1), ...time]);
}

describe('the strict form of a message', () => {
  it('is read with its type, its payload and its time', () => {
    const message = readStrict(strict);
    expect(message).toMatchObject({ type: 30 });
    if (message === null) throw new Error('The message was not read.');
    expect([...strict.subarray(message.start, message.end)]).toEqual([...PAYLOAD]);
    expect(timeOf(strict, message)).toBe(7n);
  });

  it('has a map of any width', () => {
    for (const map of [[0x83], [0xde, 0, 3], [0xdf, 0, 0, 0, 3]]) {
      expect(readStrict(Uint8Array.from([...map, ...members]))?.type).toBe(30);
    }
  });

  it('has a payload of any length', () => {
    for (const length of [0, 255, 256, 65_535, 65_536]) {
      const message = readStrict(encode({ ...frame, Payload: new Uint8Array(length) }));
      expect(message && message.end - message.start).toBe(length);
    }
  });

  it.each([
    [[0x05], 5n],
    [[0xff], -1n],
    [[0xcc, 0xff], 255n],
    [[0xcd, 1, 0], 256n],
    [[0xce, 0xff, 0, 0, 0], 0xff00_0000n],
    [[0xcf, 0xff, 0, 0, 0, 0, 0, 0, 0], 0xff00_0000_0000_0000n],
    [[0xd0, 0x80], -128n],
    [[0xd1, 0x80, 0], -32_768n],
    [[0xd2, 0x80, 0, 0, 0], -2_147_483_648n],
    [[0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0], -(2n ** 63n)],
  ])('has a time such as %j', (bytes, time) => {
    const message = withTime(...bytes);
    const read = readStrict(message);
    expect(read && timeOf(message, read)).toBe(time);
  });

  it.each([
    ['a type that comes again', Uint8Array.from([0x84, ...members, ...text('DtoType'), 28])],
    ['another order', encode({ Payload: PAYLOAD, DtoType: 30, SendTimestamp: 7 })],
    ['the time before the payload', encode({ DtoType: 30, SendTimestamp: 7, Payload: PAYLOAD })],
    ['a member too few', encode({ DtoType: 30, Payload: PAYLOAD })],
    ['bytes after its end', Uint8Array.from([...strict, 0xc0])],
    ['a key as a longer string', Uint8Array.from([0x83, 0xd9, 7, ...text('DtoType').slice(1), ...members.slice(8)])],
    ['a type in two bytes', Uint8Array.from([0x83, ...text('DtoType'), 0xcc, 30, ...members.slice(9)])],
    ['a negative type', Uint8Array.from([0x83, ...text('DtoType'), 0xff, ...members.slice(9)])],
    ['a payload that is text', encode({ ...frame, Payload: 'x' })],
    ['a payload that is longer than the message', Uint8Array.from([...strict.subarray(0, 17), 0xc4, 0xff, ...strict.subarray(19)])],
    ['a payload that is shorter than it says', Uint8Array.from([...strict.subarray(0, 17), 0xc4, 0, ...strict.subarray(19)])],
    ['a time that is a float', withTime(0xcb, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['a time that is nil', withTime(0xc0)],
    ['a time that is cut', withTime(0xce, 0, 0)],
    ['no time', strict.subarray(0, -1)],
    ['no map', encode([30, PAYLOAD, 7])],
    ['no bytes', new Uint8Array()],
  ])('is not %s', (_, bytes) => {
    expect(readStrict(bytes)).toBeNull();
  });

  it('is not any beginning of it', () => {
    for (let length = 0; length < strict.length; length += 1) expect(readStrict(strict.subarray(0, length))).toBeNull();
  });

  it('tells its type from its first bytes', () => {
    const bytes = encodeMessage('ClipboardText', exampleValues.ClipboardText, 1n);
    expect(readType(bytes.subarray(0, LONGEST_HEAD))).toBe(21);
    expect(readType(bytes.subarray(0, 9))).toBeNull();
    expect(readType(encode({ Payload: PAYLOAD, DtoType: 21 }))).toBeNull();
  });
});
