import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { Drive, DeviceUpdateRequestDto } from '../dtos/devices.js';
import { FileSystemEntryDto } from '../dtos/files.js';
import { TerminalInputDto } from '../dtos/terminal.js';
import { DtoWrapper } from '../dtos/wrapper.js';
import { Architecture, DriveType, RuntimeId, TerminalMode } from '../enums.js';
import type { Arguments, Result } from '../hub-method.js';
import { agentHub } from '../agent-hub.js';
import { hubFailure, hubOk, hubResultOf, hubValue } from '../hub-result.js';
import { viewerHub } from '../viewer-hub.js';
import { fromBase64, toBase64 } from './base64.js';
import { arrayOf, indexedRecord, nullable, optional, record, withDefault } from './composites.js';
import { binary, bool, exactInt64, float64, guid, int32, int64, text, timestamp } from './primitives.js';
import { Timestamp } from './timestamp.js';
import { WireTypeError, type ContractType } from './wire-type.js';

const ID = '11111111-2222-3333-4444-55555555abcd';

describe('primitives', () => {
  it.each<[string, ContractType<unknown>, unknown, string]>([
    ['a number for a text', text(5), 5, 'The value must be a string.'],
    ['a long text', text(5), 'sixsix', 'The value must not be longer than 5 characters.'],
    ['an empty GUID', guid, '', 'The value must be a GUID.'],
    ['a GUID without hyphens', guid, ID.replaceAll('-', ''), 'The value must be a GUID.'],
    ['a GUID and a line end', guid, `${ID}\n`, 'The value must be a GUID.'],
    ['a null GUID', guid, null, 'The value must be a GUID.'],
    ['a text for a boolean', bool, 'true', 'The value must be true or false.'],
    ['a fraction', int32, 1.5, 'The value must be a whole number of 32 bits.'],
    ['too large a number', int32, 2 ** 31, 'The value must be a whole number of 32 bits.'],
    ['a quoted number', int64, '5', 'The value must be a whole number of 64 bits.'],
    ['a size of 65 bits', int64, 2n ** 63n, 'The value must be a whole number of 64 bits.'],
    ['65 bits', exactInt64, 2n ** 63n, 'The value must be a whole number of 64 bits.'],
    ['not a number', float64, Number.NaN, 'The value must be a number.'],
    ['no base64', binary(9), 'a*b=', 'The value must be binary data (base64 in JSON).'],
    ['base64 without padding', binary(9), 'YWI', 'The value must be binary data (base64 in JSON).'],
    ['too much base64', binary(3), 'YWJjZA==', 'The value must not be longer than 3 bytes.'],
    ['too many bytes', binary(3), new Uint8Array(4), 'The value must not be longer than 3 bytes.'],
    ['no date', timestamp, '2026-02-31T00:00:00Z', 'The value must be a date and time with offset.'],
    ['too many items', arrayOf(bool, 1), [true, true], 'The value must not hold more than 1 items.'],
    ['no list', arrayOf(bool), {}, 'The value must be a list.'],
    ['an unknown name', TerminalMode, 'Cooked', 'The value must be one of Line, Raw.'],
    ['an unknown number', TerminalMode, 2, 'The value must be one of Line, Raw.'],
  ])('refuse %s with the reason in a sentence', (_, type, raw, message) => {
    expect(() => type.decode(raw, 'json')).toThrow(new WireTypeError(message.slice('The value '.length, -1)));
    expect(() => type.decode(raw, 'json')).toThrow(message);
  });

  it('read a GUID in any case and return it in lower case', () => {
    expect(guid.decode(ID.toUpperCase(), 'json')).toBe(ID);
  });

  it('keep 64-bit integers whole in MessagePack', () => {
    expect(int64.encode(5_000_000_000, 'messagepack')).toBe(5_000_000_000n);
    expect(int64.encode(5, 'messagepack')).toBe(5);
    expect(int64.encode(5_000_000_000, 'json')).toBe(5_000_000_000);
    expect(int64.decode(5_000_000_000n, 'messagepack')).toBe(5_000_000_000);
    expect(exactInt64.decode(2n ** 62n + 1n, 'messagepack')).toBe(2n ** 62n + 1n);
  });

  it('keep 64-bit integers whole in JSON', () => {
    expect([exactInt64.encode(5n, 'json'), exactInt64.encode(2n ** 62n + 1n, 'json')]).toEqual([5, 2n ** 62n + 1n]);
  });

  it('round sizes of more than 53 bits, but not beyond 64', () => {
    expect(int64.decode(2n ** 53n + 1n, 'json')).toBe(2 ** 53);
    expect(int64.decode(2 ** 60, 'json')).toBe(2 ** 60);
    const largest = [int64.decode(2n ** 63n - 1n, 'json'), int64.decode(-(2n ** 63n), 'messagepack')];
    expect(JSON.stringify(largest)).toBe('[9223372036854775000,-9223372036854775000]');
    expect(largest.map((size) => int64.encode(size, 'messagepack'))).toEqual([2n ** 63n - 1024n, 1024n - 2n ** 63n]);
  });

  it('write bytes as base64 in JSON and unchanged in MessagePack', () => {
    const bytes = Uint8Array.of(0, 255, 7);
    expect(binary().encode(bytes, 'json')).toBe('AP8H');
    expect(binary().encode(bytes, 'messagepack')).toBe(bytes);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (any) => {
        expect(new Uint8Array(fromBase64(toBase64(any)) ?? [1])).toEqual(any);
      }),
    );
  });
});

describe('enums', () => {
  it('are numbers or names in JSON, and always names in MessagePack', () => {
    expect([Architecture.X64, Architecture.encode(1, 'json'), Architecture.encode(1, 'messagepack')]).toEqual([1, 1, 'X64']);
    expect([DriveType.Fixed, DriveType.encode(3, 'json'), DriveType.encode(3, 'messagepack')]).toEqual([3, 'Fixed', 'Fixed']);
    expect([RuntimeId.encode(4, 'json'), RuntimeId.encode(4, 'messagepack')]).toEqual(['linux-x64', 'LinuxX64']);
  });

  it.each(['LinuxX64', 'linuxx64', 'linux-x64', 'LINUX-X64', 4, '4'])('read %s', (written) => {
    expect(RuntimeId.decode(written, 'json')).toBe(RuntimeId.LinuxX64);
  });
});

describe('records', () => {
  const Pair = record('Pair', 'Two values.', { left: int32, right: nullable(text(3)), extra: optional(bool), size: withDefault(int32, 9) });

  it('read names in any case, ignore unknown members, and set defaults for absent ones', () => {
    expect(Pair.decode({ LEFT: 1, Right: 'r', other: {} }, 'json')).toEqual({ left: 1, right: 'r', size: 9 });
    expect(Pair.decode({}, 'json')).toEqual({ left: 0, right: null, size: 9 });
    expect(Object.keys(Pair.decode({}, 'json'))).not.toContain('extra');
  });

  it('prefer a member with the exact name to one in another case', () => {
    expect(Pair.decode({ LEFT: 2, left: 1, Left: 3 }, 'json')).toMatchObject({ left: 1 });
  });

  it('read names in MessagePack only in their exact case', () => {
    expect(Pair.decode({ Left: 1, right: 'r' }, 'messagepack')).toMatchObject({ left: 1, right: null });
  });

  it('write nulls, but not optional members that are not set', () => {
    expect(Pair.encode({ left: 1, right: null, size: 2 }, 'json')).toEqual({ left: 1, right: null, size: 2 });
    expect(Pair.encode({ left: 1, right: null, size: 2, extra: true }, 'messagepack')).toEqual({
      Left: 1,
      Right: null,
      Size: 2,
      Extra: true,
    });
    expect(Object.keys(Object(Pair.encode({ left: 1, right: null, size: 2 }, 'json')))).toEqual(['left', 'right', 'size']);
  });

  it('do not write members that the descriptor does not have', () => {
    const wider = { left: 1, right: null, size: 2, passwordHash: 'secret' };
    expect(Pair.encode(wider, 'json')).not.toHaveProperty('passwordHash');
  });

  it('name the member that is wrong', () => {
    const Nested = record('Nested', 'Pairs.', { pairs: arrayOf(Pair) });
    const raw = { pairs: [{}, { RIGHT: 'long' }] };
    expect(() => Nested.decode(raw, 'json')).toThrow('pairs[1].right must not be longer than 3 characters.');
    expect(() => record('Outer', 'A pair.', { pair: Pair }).decode({}, 'json')).toThrow('pair is required.');
    expect(() => Pair.decode([], 'json')).toThrow('The value must be an object.');
    expect(() => Pair.decode(new Map([[1, 2]]), 'messagepack')).toThrow('The value must be an object.');
  });

  it('are not confused by names that every object has', () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"left": 5}, "constructor": 1}');
    expect(Pair.decode(hostile, 'json')).toMatchObject({ left: 0 });
  });

  it('are lists in MessagePack when indexed', () => {
    const Indexed = indexedRecord('Indexed', 'Two values by position.', { left: int32, right: text(3) });
    expect(Indexed.encode({ left: 1, right: 'r' }, 'messagepack')).toEqual([1, 'r']);
    expect(Indexed.encode({ left: 1, right: 'r' }, 'json')).toEqual({ left: 1, right: 'r' });
    expect(Indexed.decode([1], 'messagepack')).toEqual({ left: 1, right: '' });
    expect(() => Indexed.decode([1, 2], 'messagepack')).toThrow('right must be a string.');
  });

  it('throw only WireTypeError, for any input', () => {
    const types: ContractType<unknown>[] = [DeviceUpdateRequestDto, Drive, FileSystemEntryDto, TerminalInputDto, DtoWrapper];
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.constantFrom('json' as const, 'messagepack' as const),
        fc.anything(),
        (type, encoding, raw) => {
          try {
            type.decode(raw, encoding);
          } catch (error) {
            expect(error).toBeInstanceOf(WireTypeError);
          }
        },
      ),
    );
  });
});

describe('Timestamp', () => {
  const ticks = fc.bigInt({ min: 0n, max: 3155378975999999999n });
  const offsets = fc.integer({ min: -840, max: 840 });

  it('keeps every tick and the offset when it is written and read again', () => {
    fc.assert(
      fc.property(ticks, offsets, (count, offset) => {
        const parsed = Timestamp.parse(Timestamp.fromTicks(count, offset)?.toString() ?? '');
        expect([parsed?.ticks, parsed?.offsetMinutes]).toEqual([count, offset]);
      }),
    );
  });

  it.each([
    ['2026-09-14T10:11:12.1234567+00:00', 639249774721234567n, '2026-09-14T10:11:12.1234567+00:00'],
    ['2026-09-14T10:11:12.1200000Z', 639249774721200000n, '2026-09-14T10:11:12.12+00:00'],
    ['2026-09-14T10:11:12.12345679-05:30', 639249774721234567n, '2026-09-14T10:11:12.1234567-05:30'],
    ['0001-01-01T00:00:00+00:00', 0n, '0001-01-01T00:00:00+00:00'],
    ['2026-09-14T10:11', 639249774600000000n, '2026-09-14T10:11:00+00:00'],
    ['0941-10-21T17:16:26.999+00:00', 296889165869990000n, '0941-10-21T17:16:26.999+00:00'],
    ['2026-09-14', 639249408000000000n, '2026-09-14T00:00:00+00:00'],
  ])('reads %s', (written, expected, shown) => {
    expect(Timestamp.parse(written)?.ticks).toBe(expected);
    expect(String(Timestamp.parse(written))).toBe(shown);
  });

  it.each([
    '',
    'yesterday',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00+15:00',
    '2026-01-01T00:00:00+01:99',
    '10000-01-01T00:00:00Z',
  ])('refuses "%s"', (written) => expect(Timestamp.parse(written)).toBeUndefined());

  it('is the instant of a date', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }), offsets, (date, offset) => {
        expect(Timestamp.fromDate(date, offset).toDate()).toEqual(date);
      }),
    );
  });

  it('travels as text in JSON and as clock reading and offset in MessagePack', () => {
    const value = timestamp.decode('2026-09-14T12:11:12.123+02:00', 'json');
    expect(timestamp.encode(value, 'json')).toBe('2026-09-14T12:11:12.123+02:00');
    expect(timestamp.encode(value, 'messagepack')).toEqual([new Date('2026-09-14T12:11:12.123Z'), 120]);
    expect(timestamp.decode(timestamp.encode(value, 'messagepack'), 'messagepack')).toEqual(value);
    expect(timestamp.decode([new Date('2026-09-14T12:11:12.123Z'), 120], 'messagepack')).toEqual(value);
  });

  it('keeps every tick in MessagePack where the library does', () => {
    fc.assert(
      fc.property(ticks, offsets, (count, offset) => {
        const value = Timestamp.fromTicks(count, offset) ?? Timestamp.fromDate(new Date(0));
        expect(timestamp.decode(timestamp.encode(value, 'messagepack'), 'messagepack')).toEqual(value);
      }),
    );
  });

  it('reads all three sizes of the raw MessagePack extension exactly', () => {
    const exact = Timestamp.fromUnixTime(1_789_380_672n, 123_456_700, 60);
    const nanosAndSeconds = new Uint8Array(8);
    new DataView(nanosAndSeconds.buffer).setBigUint64(0, (123_456_700n << 34n) | 1_789_380_672n);
    expect(timestamp.decode([{ type: -1, data: nanosAndSeconds }, 60], 'messagepack')).toEqual(exact);
    const wide = new Uint8Array(12);
    new DataView(wide.buffer).setUint32(0, 123_456_700);
    new DataView(wide.buffer).setBigInt64(4, 1_789_380_672n);
    expect(timestamp.decode([{ type: -1, data: wide }, 60], 'messagepack')).toEqual(exact);
    expect(timestamp.decode([{ type: -1, data: Uint8Array.of(0, 0, 0, 1) }, 0], 'messagepack')).toEqual(Timestamp.fromUnixTime(1n, 0));
    for (const raw of [
      [{ type: 5, data: wide }, 0],
      [new Date(Number.NaN), 0],
      [new Date(), 1.5],
      [new Date(), 9999],
      [new Date()],
      null,
    ]) {
      expect(() => timestamp.decode(raw, 'messagepack')).toThrow(WireTypeError);
    }
  });
});

describe('hub results and methods', () => {
  it('never leave a failure without a reason', () => {
    expect(hubFailure('  ').reason).toBe('The operation failed.');
    expect(hubFailure('No.')).toEqual({ value: null, isSuccess: false, reason: 'No.', errorCode: null });
    expect(hubResultOf(int32).encode(hubValue(5), 'json')).toEqual({ value: 5, isSuccess: true, reason: null, errorCode: null });
    expect(hubOk()).toEqual({ isSuccess: true, reason: null, errorCode: null });
  });

  it('give callers the types of arguments and results', () => {
    // Compiled by tsc, which fails here when inference does: these lines check that they have exactly these types.
    const chunks: Arguments<typeof agentHub.SendFileContentStream> = [ID, noBytes()];
    const output: Result<typeof agentHub.SendTerminalOutputToViewer> = undefined;
    const allowed: Result<typeof viewerHub.RefreshDeviceInfo2> = hubOk();
    const bytes: Result<typeof agentHub.GetFileStreamFromViewer> = chunks[1];
    expect([chunks[0], output, allowed.isSuccess, bytes]).toEqual([ID, undefined, true, chunks[1]]);
  });
});

async function* noBytes(): AsyncGenerator<Uint8Array> {}
