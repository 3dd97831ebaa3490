import { describe, expect, it } from 'vitest';
import { decode, encode } from '@msgpack/msgpack';
import * as fc from 'fast-check';
import { messagePackProtocol } from './messagepack-protocol.js';
import { fromHex, namedMessages } from './messages.fixture.js';
import { type HubMessage, MessageType, ProtocolError } from './messages.js';
import { PreciseDate } from '../wire/precise-date.js';

const LIMIT = 100_000;
/** The same in every run, so that a failure can be repeated. */
const SEED = 20_263;

function parse(data: Buffer, limit = LIMIT): { messages: HubMessage[]; used: number } {
  const messages: HubMessage[] = [];
  const used = messagePackProtocol.parse(data, limit, { isHeld: false, accept: (message) => messages.push(message) });
  return { messages, used };
}

/** Puts its length in front of a message of at most 127 bytes. */
function framed(hex: string): Buffer {
  const body = fromHex(hex);
  return Buffer.concat([Buffer.from([body.length]), body]);
}

function written(message: HubMessage): Buffer {
  return Buffer.from(messagePackProtocol.write(message));
}

describe('MessagePack hub protocol', () => {
  it.each(namedMessages)('writes $name', ({ message, messagePack }) => {
    expect(written(message).toString('hex')).toBe(framed(messagePack).toString('hex'));
  });

  it.each(namedMessages)('reads $name', ({ message, messagePack }) => {
    const data = framed(messagePack);
    expect(parse(data)).toEqual({ messages: [message], used: data.length });
  });

  it('reads all complete messages of a frame, and leaves the start of the next one', () => {
    const whole = Buffer.concat(namedMessages.map(({ messagePack }) => framed(messagePack)));
    const { messages, used } = parse(Buffer.concat([whole, framed('9402 80 a133 a178').subarray(0, 4)]));
    expect(messages).toEqual(namedMessages.map(({ message }) => message));
    expect(used).toBe(whole.length);
  });

  it.each([
    ['an invocation without stream ids', '9501 80 a131 a154 90', { type: 1, invocationId: '1', target: 'T', arguments: [] }],
    ['headers', '9501 81 a161 a162 c0 a154 90', { type: 1, headers: { a: 'b' }, target: 'T', arguments: [] }],
    ['members that a later version has added', '9206 01', { type: 6 }],
    ['a close without a reconnect flag', '9207 c0', { type: 7, allowReconnect: false }],
    [
      'large whole numbers exactly',
      '9503 80 a131 03 cf7fffffffffffffff',
      { type: 3, invocationId: '1', hasResult: true, result: 2n ** 63n - 1n },
    ],
    [
      'safe whole numbers as numbers',
      '9503 80 a131 03 cf000000ffffffffff',
      { type: 3, invocationId: '1', hasResult: true, result: 2 ** 40 - 1 },
    ],
    ['timestamps', '9503 80 a131 03 d6ff00000001', { type: 3, invocationId: '1', hasResult: true, result: new Date(1_000) }],
    ['bytes', '9503 80 a131 03 c403010203', { type: 3, invocationId: '1', hasResult: true, result: Buffer.from([1, 2, 3]) }],
  ])('reads %s', (_case, hex, message) => {
    expect(parse(framed(hex)).messages).toEqual([message]);
  });

  it('skips messages of unknown types', () => {
    expect(parse(Buffer.concat([framed('910a'), framed('9106')])).messages).toEqual([{ type: MessageType.Ping }]);
  });

  it.each([
    ['an empty message', '', 'The message is incomplete.'],
    ['no array', '80', 'The message is no MessagePack array.'],
    ['an empty array', '90', "Expected 'type' to be of type Integer."],
    ['a type that is text', '91 a131', "Expected 'type' to be of type Integer."],
    ['no target', '9501 80 c0 c0 90', "Expected 'target' to be of type String."],
    ['arguments that are no array', '9501 80 c0 a154 80', "Expected 'arguments' to be of type Array."],
    ['no arguments', '9401 80 c0 a154', "Expected 'arguments' to be of type Array."],
    ['an id that is a number', '9501 80 01 a154 90', "Expected 'invocationId' to be of type String."],
    ['a stream invocation without id', '9504 80 c0 a154 90', "Expected 'invocationId' to be of type String."],
    ['a stream id that is a number', '9601 80 c0 a154 90 91 01', "Expected 'streamIds' to be of type String."],
    ['headers that are nil', '9501 c0 c0 a154 90', "Expected 'headers' to be of type Object."],
    ['headers that are an array', '9501 91a161 c0 a154 90', "Expected 'headers' to be of type Object."],
    ['headers that are bytes', '9501 c40161 c0 a154 90', "Expected 'headers' to be of type Object."],
    ['headers that are a time', '9504 d6ff00000001 a131 a154 90', "Expected 'headers' to be of type Object."],
    ['a header that is a number', '9501 81a16101 c0 a154 90', "Expected header 'a' to be of type String."],
    ['a header whose name is a number', '9501 8101a162 c0 a154 90', "Expected the names of 'headers' to be of type String."],
    ['an item with headers that are a text', '9402 a161 a131 01', "Expected 'headers' to be of type Object."],
    ['a completion with a header that is a number', '9403 81a16101 a131 02', "Expected header 'a' to be of type String."],
    ['a cancellation with headers that are a text', '9305 a161 a131', "Expected 'headers' to be of type Object."],
    ['a stream item without item', '9302 80 a131', "Missing required property 'item'."],
    ['a completion without its kind', '9303 80 a131', 'The completion has an unknown result kind.'],
    ['a completion without its value', '9403 80 a131 03', "Missing required property 'result'."],
    ['a completion without its error', '9403 80 a131 01', "Expected 'error' to be of type String."],
    ['an array that ends early', '96 01 80', 'The message is incomplete.'],
    ['a text that ends early', '91 a531', 'The message is incomplete.'],
    ['bytes behind the end', '9106 00', 'The message has bytes behind its end.'],
    ['an array of two billion', '91 dd80000000', 'The message is incomplete.'],
    ['a map of two billion', '91 df80000000', 'The message is incomplete.'],
    ['a text of two billion', '91 db80000000', 'The message is incomplete.'],
    ['an extension', '91 d40100', 'The message holds an unknown MessagePack extension.'],
    ['a record definition', '92 d47240 91a161', 'The message holds an unknown MessagePack extension.'],
    ['an extension of 8 bytes', '91 d7010000000000000000', 'The message holds an unknown MessagePack extension.'],
    ['an extension of variable length', '91 c7010100', 'The message holds an unknown MessagePack extension.'],
    ['a timestamp of another size', '91 c70bff0000000000000000000000', 'The message holds an unknown MessagePack extension.'],
    [
      'a fraction of more than a second',
      '91 d7ffee6b280000000000',
      'The message holds a timestamp with more than a second in its fraction.',
    ],
    ['the byte that means nothing', '91 c1', 'The message holds an unknown MessagePack extension.'],
    ['deep nesting', `${'91'.repeat(100)}06`, 'The message is nested deeper than 64 levels.'],
  ])('refuses %s', (_case, hex, error) => {
    expect(() => parse(framed(hex))).toThrow(expect.objectContaining({ name: 'ProtocolError', message: error }));
  });

  it('refuses a length of more than five bytes', () => {
    expect(() => parse(fromHex('ffffffffffff'))).toThrow(new ProtocolError('The length of the message is malformed.'));
  });

  it('refuses a message that is too large as soon as it has read its length', () => {
    expect(() => parse(fromHex('808008'), 100_000)).toThrow(new ProtocolError('The maximum message size of 100000 bytes was exceeded.'));
  });

  it('waits for the rest of a length', () => {
    expect(parse(fromHex('8080'))).toEqual({ messages: [], used: 0 });
  });

  it.each([0, 1, 100, 127, 128, 16_383, 16_384, 70_000, 3_000_000])('writes and reads a text of %i characters', (length) => {
    const message: HubMessage = { type: MessageType.StreamItem, invocationId: '1', item: 'x'.repeat(length) };
    expect(parse(written(message), 4_000_000).messages).toEqual([message]);
  });

  it('writes BigInts as 64-bit integers, and undefined as nil', () => {
    const message: HubMessage = { type: MessageType.StreamItem, invocationId: '1', item: [2n ** 40n, undefined] };
    expect(written(message).toString('hex')).toBe(framed('9402 80 a131 92 cf0000010000000000 c0').toString('hex'));
  });

  it.each<[what: string, value: unknown, hex: string]>([
    ['the smallest number with 33 bits', 2 ** 32, 'cf0000000100000000'],
    ['the largest safe number', Number.MAX_SAFE_INTEGER, 'cf001fffffffffffff'],
    ['a negative number of more than 32 bits', -(2 ** 31) - 1, 'd3ffffffff7fffffff'],
    ['the smallest safe number', Number.MIN_SAFE_INTEGER, 'd3ffe0000000000001'],
    ['the largest number of 32 bits', 2 ** 32 - 1, 'ceffffffff'],
    ['the smallest number of 32 bits', -(2 ** 31), 'd280000000'],
    ['a number that is not whole', 0.5, 'cb3fe0000000000000'],
    ['a whole number that no integer holds exactly', 2 ** 60, 'cb43b0000000000000'],
    ['the largest integer', 2n ** 64n - 1n, 'cfffffffffffffffff'],
    ['the smallest integer', -(2n ** 63n), 'd38000000000000000'],
    ['a small BigInt', 5n, '05'],
    ['members that are undefined', { a: 1, b: undefined }, '81 a161 01'],
    ['a map', new Map<unknown, unknown>([[1, 'a'], [true, 'b']]), '82 01 a161 c3 a162'], // prettier-ignore
    ['a set', new Set([1, 2]), '92 01 02'],
    ['an object that says how it is written', { toJSON: () => 'x' }, 'a178'],
    ['whole seconds', new Date(1_000), 'd6ff00000001'],
    ['ticks', new PreciseDate(1_001, 234_500), 'd7ff004b591000000001'],
    ['a time before 1970', new PreciseDate(-1, 999_900), 'c70cff3b9ac99cffffffffffffffff'],
  ])('writes %s', (_what, item, hex) => {
    expect(written({ type: MessageType.StreamItem, invocationId: '1', item }).toString('hex')).toBe(
      framed(`9402 80 a131 ${hex}`).toString('hex'),
    );
  });

  it.each([
    ['a BigInt of 65 bits', 2n ** 64n],
    ['a function', () => 1],
    ['an invalid date', new Date(Number.NaN)],
  ])('refuses to write %s, and then writes other messages', (_what, item) => {
    expect(() => written({ type: MessageType.StreamItem, invocationId: '1', item: ['x', item] })).toThrow(TypeError);
    expect(written({ type: MessageType.Ping }).toString('hex')).toBe('029106');
  });

  it('refuses to write a value that contains itself', () => {
    const endless: unknown[] = [];
    endless.push(endless);
    expect(() => written({ type: MessageType.StreamItem, invocationId: '1', item: endless })).toThrow('nested deeper than 500 levels');
  });

  it('keeps the kinds of keys, and every name', () => {
    const message = framed('9402 80 a131 84 01 a161 c3 a162 a163 03 a9 5f5f70726f746f5f5f 04');
    const [read] = parse(message).messages;
    const item = new Map<unknown, unknown>([[1, 'a'], [true, 'b'], ['c', 3], ['__proto__', 4]]); // prettier-ignore
    expect(read).toEqual({ type: MessageType.StreamItem, invocationId: '1', item });
    expect(written(read).toString('hex')).toBe(message.toString('hex'));

    const [named] = parse(framed('9402 80 a131 82 a9 5f5f70726f746f5f5f 81 a161 05 a162 06')).messages;
    expect(named).toEqual({ type: MessageType.StreamItem, invocationId: '1', item: JSON.parse('{"__proto__":{"a":5},"b":6}') });
    expect(Object(named).item.a).toBeUndefined();
  });

  it('keeps the ticks of a time', () => {
    const ticks = fc.tuple(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), fc.integer({ min: 0, max: 9_999 }));
    fc.assert(
      fc.property(ticks, ([milliseconds, rest]) => {
        const item = rest === 0 ? new Date(milliseconds) : new PreciseDate(milliseconds, rest * 100);
        const message: HubMessage = { type: MessageType.StreamItem, invocationId: '1', item };
        expect(parse(written(message)).messages).toEqual([message]);
      }),
      { seed: SEED },
    );
    expect(JSON.stringify(new PreciseDate(1_001, 234_500))).toBe('"1970-01-01T00:00:01.0012345Z"');
  });

  it('tells apart names that look alike', () => {
    for (const name of ['a', 'b', 'ab', 'aé', 'aÃ©', '€', 'x'.repeat(41)]) {
      const message: HubMessage = { type: MessageType.StreamItem, invocationId: '1', item: { [name]: name } };
      for (let time = 0; time < 2; time++) expect(parse(written(message)).messages).toEqual([message]);
    }
  });

  it('does not change a message that it has written when it writes others', () => {
    const first = messagePackProtocol.write({ type: MessageType.StreamItem, invocationId: '1', item: 'first' });
    const before = Buffer.from(first);
    for (let index = 0; index < 1_000; index++)
      messagePackProtocol.write({ type: MessageType.StreamItem, invocationId: '2', item: 'x'.repeat(50) });
    expect(Buffer.from(first)).toEqual(before);
  });

  it('writes bytes that it and another MessagePack implementation can read', () => {
    const value = fc.jsonValue({ noUnicodeString: false }).map((json) => replaceNegativeZero(json));
    fc.assert(
      fc.property(fc.string(), fc.array(value), (target, values) => {
        const message: HubMessage = { type: MessageType.Invocation, invocationId: '1', target, arguments: values };
        const data = written(message);
        expect(parse(data, Infinity).messages).toEqual([message]);
        const body = data.subarray(data.findIndex((byte) => byte < 0x80) + 1);
        expect(decode(body)).toEqual([1, {}, '1', target, values, []]);
      }),
      { seed: SEED },
    );
  });

  it('throws only ProtocolError, for any bytes', () => {
    const almost = fc.tuple(fc.jsonValue(), fc.nat(), fc.nat(255)).map(([json, position, byte]) => {
      const body = Buffer.from(encode([1, {}, '1', 'T', [json]]));
      body[position % body.length] = byte;
      return body;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 120 }), almost), (bytes) => {
        const data = Buffer.concat([Buffer.from([bytes.length & 0x7f]), bytes]);
        try {
          messagePackProtocol.parse(data, 200, { isHeld: false, accept: () => undefined });
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { seed: SEED, numRuns: 5_000 },
    );
  });
});

/** Changes what does not survive: MessagePack integers have no negative zero, and the other implementation refuses `__proto__`. */
function replaceNegativeZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(replaceNegativeZero);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === '__proto__' ? [] : [[key, replaceNegativeZero(inner)]])),
  );
}
