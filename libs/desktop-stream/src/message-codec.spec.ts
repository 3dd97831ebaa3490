import { readFileSync } from 'node:fs';

import { decode as decodeWithMsgpack, encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { Packr, Unpackr } from 'msgpackr';
import { describe, expect, it } from 'vitest';

import { exampleValues } from './example-messages.fixture.js';
import { DesktopStreamError, decodeMessage, encodeMessage } from './message-codec.js';
import { messages, type MessageName, type MessageValue } from './messages/messages.js';
import { readStrict, readType } from './strict-form.js';

interface Vector {
  readonly name: MessageName;
  readonly dtoType: number;
  readonly members: Readonly<Record<string, unknown>>;
  readonly message: string;
}

const SENT_AT = 1_234_567_890_123_456_789n;
const vectors = (
  JSON.parse(readFileSync(new URL('fixtures/desktop-stream-vectors.json', import.meta.url), 'utf8')) as {
    readonly vectors: readonly Vector[];
  }
).vectors;
const names = Object.keys(messages) as MessageName[];
const unpackr = new Unpackr({ int64AsType: 'bigint', useRecords: false });
const packr = new Packr({ useRecords: false, variableMapSize: true });

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const encoded = <N extends MessageName>(name: N, value: MessageValue<N> = exampleValues[name]): Uint8Array =>
  encodeMessage(name, value, SENT_AT);
/** The value of a vector, which differs from the example in the one that has no text. */
const valueOf = ({ name, members }: Vector): object =>
  members.Text === null ? { ...exampleValues[name], text: null } : exampleValues[name];

describe('the bytes of messages', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('of %s are those of existing agents and viewers', (name, vector) => {
    const message = decodeMessage(bytesOf(vector.message));
    expect(message).toEqual({ name, sentAt: SENT_AT, size: vector.message.length / 2, value: valueOf(vector) });
    expect(messages[name].type).toBe(vector.dtoType);
    expect(hexOf(message.name === null ? new Uint8Array() : encodeMessage(message.name, message.value, SENT_AT))).toBe(vector.message);
  });

  it('are known for every message', () => {
    expect(new Set(vectors.map(({ name }) => name))).toEqual(new Set(names));
  });

  it.each(names)('of %s are read alike by two libraries', (name) => {
    const bytes = encoded(name);
    const frame = decodeWithMsgpack(bytes, { useBigInt64: true }) as { readonly Payload: Uint8Array };
    const other = unpackr.unpack(Buffer.from(bytes)) as { readonly Payload: Uint8Array };
    expect(plain(other)).toEqual(plain(frame));
    expect(plain(unpackr.unpack(Buffer.from(frame.Payload)))).toEqual(plain(decodeWithMsgpack(frame.Payload, { useBigInt64: true })));
  });

  it.each(names)('of %s that two libraries write are read', (name) => {
    const frame = decodeWithMsgpack(encoded(name), { useBigInt64: true }) as Readonly<Record<string, unknown>>;
    for (const bytes of [encode(frame, { useBigInt64: true }), packr.pack(frame)]) {
      expect(decodeMessage(Uint8Array.from(bytes))).toMatchObject({ name, value: exampleValues[name], sentAt: SENT_AT });
      expect(readStrict(bytes)?.type).toBe(messages[name].type);
    }
  });
});

describe('a received message', () => {
  const frameOf = (type: unknown, payload: unknown, time: unknown = 1): Uint8Array =>
    encode({ DtoType: type, Payload: encode(payload), SendTimestamp: time });

  it('may have members in any order, and ones that are not known', () => {
    const payload = encode({ IsEnabled: true, New: [1, { two: 2 }] });
    expect(decodeMessage(encode({ SendTimestamp: 5, Payload: payload, New: 'x', DtoType: 43 }))).toEqual({
      name: 'ToggleBlockInput',
      value: { isEnabled: true },
      sentAt: 5n,
      size: expect.any(Number) as number,
    });
  });

  it('of an unknown kind is told by its number', () => {
    expect(decodeMessage(frameOf(99, 'anything'))).toMatchObject({ name: null, type: 99, sentAt: 1n });
  });

  it('reads numbers of every width, and both empty forms', () => {
    expect(decodeMessage(frameOf(26, { NormalizedX: 1, NormalizedY: 0.5 }))).toMatchObject({ value: { normalizedX: 1, normalizedY: 0.5 } });
    for (const empty of [{}, []]) expect(decodeMessage(frameOf(30, empty))).toMatchObject({ name: 'ResetKeyboardState' });
  });

  it('reads numbers of an enumeration that are not known as its default', () => {
    expect(decodeMessage(frameOf(44, { Message: 'hello', Severity: 12 }))).toMatchObject({ value: { severity: 0 } });
  });

  it.each([{ videoCodecs: ['avc1.42E01F'] }, { mixedFormats: true }, { clipboardSync: true }])('keeps the extension %o', (extension) => {
    const settings = { ...exampleValues.UpdateCaptureSettings, ...extension };
    expect(decodeMessage(encoded('UpdateCaptureSettings', settings))).toMatchObject({ value: settings });
  });

  it.each([
    ['no MessagePack', Uint8Array.of(0xc1)],
    ['nothing', new Uint8Array()],
    ['no map', encode([1, 2, 3])],
    ['no number of a kind', frameOf('28', {})],
    ['a payload that is no binary data', encode({ DtoType: 28, Payload: 7, SendTimestamp: 1 })],
    ['a payload of another shape', frameOf(27, { Button: 'left' })],
    ['bytes after its end', Uint8Array.from([...encoded('RequestKeyFrame'), 0])],
    ['an announced length that is not there', Uint8Array.of(0x81, 0xa7, ...Buffer.from('Payload'), 0xc6, 0xff, 0xff, 0xff, 0xff)],
  ])('with %s is refused', (_, bytes) => {
    expect(() => decodeMessage(bytes)).toThrow(DesktopStreamError);
  });

  it('made of any bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeMessage(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(DesktopStreamError);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('of which one byte was changed is read or refused, and never read as strict where it is not', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 0, max: 255 }), (name, place, byte) => {
        const bytes = Uint8Array.from(encoded(name));
        bytes[place % bytes.length] = byte;
        const strict = readStrict(bytes);
        try {
          const message = decodeMessage(bytes);
          if (strict !== null) expect(strict.type).toBe(message.name === null ? message.type : messages[message.name].type);
        } catch (error) {
          expect(error).toBeInstanceOf(DesktopStreamError);
        }
        if (strict !== null) expect(readType(bytes)).toBe(strict.type);
      }),
      { numRuns: 3_000 },
    );
  });
});

/** The same value with bytes as lists, and whole numbers of any width alike. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}
