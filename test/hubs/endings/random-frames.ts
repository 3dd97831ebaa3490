import { randomBytes } from 'node:crypto';

import { encode } from '@msgpack/msgpack';

import type { Encoding } from '#libs/signalr';

/*
 * Frames of a client that is broken or means harm: most are messages of every kind whose parts do not fit each other, some are damaged on
 * their way, some never were messages.
 */

/** A sequence of numbers that looks random, and is the same for the same seed (mulberry32). */
export class Chance {
  constructor(private state: number) {}

  /** Returns a number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  oneOf<T>(values: readonly T[]): T {
    return values[this.below(values.length)];
  }
}

/** A seed that nobody has chosen. */
export const freshSeed = (): number => randomBytes(4).readUInt32LE();

/** Number of frames of which one is damaged, and one is no message at all. Each ends its connection. */
const DAMAGED_ONE_OF = 100;
const NONSENSE_ONE_OF = 200;
const MAXIMUM_NONSENSE = 60;
const DAMAGES = 3;

const TARGETS = ['Echo', 'echo', 'Count', 'Read', 'Drop', 'Fail', 'Missing', '', '__proto__', 'constructor', 'onDisconnected'];
const IDS = ['1', '2', '3', 's1', '', 'x'.repeat(40), null];
const VALUES: readonly unknown[] = [
  0,
  -1,
  7,
  2 ** 53,
  1.5,
  true,
  null,
  '',
  'text',
  '\u0000\u001e\ud800',
  [],
  [[[[1]]]],
  {},
  { __proto__: 1, toString: 2 },
  'y'.repeat(300),
];

/** A frame of the encoding, with the mark or the length that ends it. */
export function randomFrame(chance: Chance, encoding: Encoding): Buffer {
  if (chance.below(NONSENSE_ONE_OF) === 0) return nonsense(chance);
  const frame = encoding === 'json' ? jsonFrame(chance) : messagePackFrame(chance);
  return chance.below(DAMAGED_ONE_OF) === 0 ? damaged(frame, chance) : frame;
}

function nonsense(chance: Chance): Buffer {
  return Buffer.from(Array.from({ length: 1 + chance.below(MAXIMUM_NONSENSE) }, () => chance.below(256)));
}

/** Returns the frame with some bytes changed, or the end cut off. */
function damaged(frame: Buffer, chance: Chance): Buffer {
  if (chance.below(2) === 0) return frame.subarray(0, chance.below(frame.length));
  const copy = Buffer.from(frame);
  for (let damage = 0; damage < DAMAGES; damage += 1) copy[chance.below(copy.length)] = chance.below(256);
  return copy;
}

const list = <T>(chance: Chance, most: number, values: readonly T[]): T[] =>
  Array.from({ length: chance.below(most + 1) }, () => chance.oneOf(values));

function jsonFrame(chance: Chance): Buffer {
  return Buffer.from(`${JSON.stringify(jsonMessage(chance))}\x1e`);
}

function jsonMessage(chance: Chance): object {
  const type = chance.oneOf([1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 9, 42]);
  const invocationId = chance.oneOf(IDS);
  switch (type) {
    case 1:
    case 4:
      return {
        type,
        ...(invocationId === null && type === 1 ? {} : { invocationId: invocationId ?? '4' }),
        target: chance.oneOf(TARGETS),
        arguments: list(chance, 3, VALUES),
        ...(chance.below(3) === 0 ? { streamIds: list(chance, 2, ['a', 'b', 'c']) } : {}),
      };
    case 2:
      return { type, invocationId: chance.oneOf(['a', 'b', 'c']), item: chance.oneOf(VALUES) };
    case 3:
      return { type, invocationId: chance.oneOf(['a', 'b', 'c', 's1']), ...(chance.below(2) === 0 ? { error: 'broken' } : {}) };
    case 5:
      return { type, invocationId: invocationId ?? '5' };
    default:
      return { type, sequenceId: chance.below(5) };
  }
}

function messagePackFrame(chance: Chance): Buffer {
  const body = encode(messagePackMessage(chance));
  const prefix: number[] = [];
  let rest = body.length;
  for (; rest > 0x7f; rest >>= 7) prefix.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...prefix, rest]), body]);
}

function messagePackMessage(chance: Chance): unknown[] {
  const type = chance.oneOf([1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 9, 42]);
  switch (type) {
    case 1:
      return [1, {}, chance.oneOf(IDS), chance.oneOf(TARGETS), list(chance, 3, VALUES), list(chance, 2, ['a', 'b', 'c'])];
    case 4:
      return [4, {}, chance.oneOf(IDS) ?? '4', chance.oneOf(TARGETS), list(chance, 3, VALUES), []];
    case 2:
      return [2, {}, chance.oneOf(['a', 'b', 'c']), chance.oneOf(VALUES)];
    case 3:
      return chance.below(2) === 0 ? [3, {}, chance.oneOf(['a', 'b', 's1']), 2] : [3, {}, chance.oneOf(['a', 'b', 'c']), 1, 'broken'];
    case 5:
      return [5, {}, chance.oneOf(IDS) ?? '5'];
    case 6:
      return [6];
    default:
      return [type, chance.below(5)];
  }
}
