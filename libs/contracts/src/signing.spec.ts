import { decode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { verifyAsync } from '@noble/ed25519';
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arrayOf, DeviceUpdateRequestDto, Drive, MessagePackWriter, signedDtoOf, signedPayload, Timestamp } from './index.js';

interface Vector {
  envelopeJson: { dto: Record<string, unknown>; publicKey: string };
  ticks: string;
  publicKeyBase64: string;
  dtoBytesHex: string;
  payloadLength: number;
  payloadSha256: string;
}

const vector: Vector = JSON.parse(readFileSync(new URL('fixtures/signing-vector.json', import.meta.url), 'utf8'));
const [exampleDrive] = arrayOf(Drive).decode(vector.envelopeJson.dto.drives, 'json');
const Envelope = signedDtoOf(DeviceUpdateRequestDto);

function payloadOf(json: unknown): Uint8Array {
  const { dto, timestamp, publicKey } = Envelope.decode(json, 'json');
  return signedPayload(dto, timestamp, publicKey);
}

describe('signedPayload', () => {
  it('makes the bytes of the worked example, whose signature is valid', async () => {
    const envelope = Envelope.decode(vector.envelopeJson, 'json');
    const payload = payloadOf(vector.envelopeJson);

    expect(envelope.timestamp.ticks).toBe(BigInt(vector.ticks));
    expect(payload.length).toBe(vector.payloadLength);
    expect(Buffer.from(payload).toString('hex')).toContain(vector.dtoBytesHex);
    expect(createHash('sha256').update(payload).digest('hex')).toBe(vector.payloadSha256);
    await expect(verifyAsync(envelope.signature, payload, Buffer.from(vector.publicKeyBase64, 'base64'))).resolves.toBe(true);
  });

  it('does not depend on the order or the case of the names in JSON', () => {
    const reordered = Object.entries(vector.envelopeJson.dto).reverse();
    const shouting = reordered.map(([name, value]) => [name.toUpperCase(), value]);
    const expected = payloadOf(vector.envelopeJson);
    expect(payloadOf({ ...vector.envelopeJson, dto: Object.fromEntries(reordered) })).toEqual(expected);
    expect(payloadOf({ ...vector.envelopeJson, dto: Object.fromEntries(shouting) })).toEqual(expected);
  });

  it('writes null for a member that is null or absent', () => {
    const { name, ...nameless } = vector.envelopeJson.dto;
    expect(name).toBeDefined();
    const absent = payloadOf({ ...vector.envelopeJson, dto: nameless });
    expect(payloadOf({ ...vector.envelopeJson, dto: { ...nameless, name: null } })).toEqual(absent);
    expect(payloadOf({ ...vector.envelopeJson, dto: { ...nameless, name: '' } })).not.toEqual(absent);
    expect(payloadOf({ ...vector.envelopeJson, publicKey: null }).at(-1)).toBe(0xc0);
  });

  it('makes the same bytes after larger and smaller reports, and leaves those of earlier ones alone', () => {
    const drives = (count: number): unknown => ({
      ...vector.envelopeJson,
      dto: { ...vector.envelopeJson.dto, drives: Array(count).fill(Drive.encode(exampleDrive, 'json')) },
    });
    const first = payloadOf(vector.envelopeJson);
    const copy = first.slice();
    payloadOf({ ...vector.envelopeJson, timestamp: '2026-09-14T10:11:12.1234568+00:00' });
    expect(first).toEqual(copy);
    // The bytes of a thousand drives do not stay in memory, those of ten do.
    for (const count of [1_000, 0, 10, 0]) {
      payloadOf(drives(count));
      expect(payloadOf(vector.envelopeJson)).toEqual(copy);
    }
  });

  it('changes when the last digit of the timestamp changes', () => {
    const later = payloadOf({ ...vector.envelopeJson, timestamp: '2026-09-14T10:11:12.1234568+00:00' });
    expect(later).not.toEqual(payloadOf(vector.envelopeJson));
  });

  it('can be decoded to the same numbers and texts, for any values', () => {
    const { dto } = Envelope.decode(vector.envelopeJson, 'json');
    const changes = fc.record({
      name: fc.string({ unit: 'binary', maxLength: 400 }),
      totalMemory: fc.double({ noNaN: true, noDefaultInfinity: true }),
      processorCount: fc.integer(),
      currentUsers: fc.array(fc.string({ maxLength: 70 }), { maxLength: 40 }),
      drives: fc.array(fc.constant(exampleDrive), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(changes, (change) => {
        const parts = decode(signedPayload({ ...dto, ...change }, Timestamp.fromDate(new Date(0)), null));
        if (!Array.isArray(parts) || !(parts[0] instanceof Uint8Array)) throw new Error('no payload');
        const inner = decode(parts[0], { useBigInt64: false });
        expect(inner).toMatchObject({
          Name: new TextDecoder().decode(new TextEncoder().encode(change.name)),
          TotalMemory: change.totalMemory,
          ProcessorCount: change.processorCount,
          CurrentUsers: change.currentUsers,
        });
        expect(Object.keys(Object(inner))).toHaveLength(20);
      }),
    );
  });
});

describe('MessagePackWriter', () => {
  const written = (write: (writer: MessagePackWriter) => void): Uint8Array => {
    const writer = new MessagePackWriter();
    write(writer);
    return writer.bytes();
  };

  it.each([
    [0n, '00'],
    [127n, '7f'],
    [128n, 'cc80'],
    [255n, 'ccff'],
    [256n, 'cd0100'],
    [65535n, 'cdffff'],
    [65536n, 'ce00010000'],
    [4294967295n, 'ceffffffff'],
    [4294967296n, 'cf0000000100000000'],
    [-1n, 'ff'],
    [-32n, 'e0'],
    [-33n, 'd0df'],
    [-128n, 'd080'],
    [-129n, 'd1ff7f'],
    [-32768n, 'd18000'],
    [-32769n, 'd2ffff7fff'],
    [-2147483648n, 'd280000000'],
    [-2147483649n, 'd3ffffffff7fffffff'],
  ])('writes %s in its shortest form', (value, hex) => {
    expect(Buffer.from(written((writer) => writer.integer(value))).toString('hex')).toBe(hex);
  });

  it.each([
    [0, 'cb0000000000000000'],
    [16, 'cb4030000000000000'],
    [-0.5, 'cbbfe0000000000000'],
  ])('writes %s as an 8-byte float', (value, hex) => {
    expect(Buffer.from(written((writer) => writer.double(value))).toString('hex')).toBe(hex);
  });

  it('writes the shortest header that fits each length', () => {
    for (const length of [0, 15, 16, 31, 32, 255, 256, 65535, 65536]) {
      const text = 'ä'.repeat(length / 2) + 'x'.repeat(length % 2);
      expect(decode(written((writer) => writer.string(text)))).toBe(text);
      expect(written((writer) => writer.string(text)).length).toBe(length + (length < 32 ? 1 : length < 256 ? 2 : length < 65536 ? 3 : 5));
      expect(written((writer) => writer.binary(new Uint8Array(length))).length).toBe(length + (length < 256 ? 2 : length < 65536 ? 3 : 5));
      expect(written((writer) => writer.arrayHeader(length)).length).toBe(length < 16 ? 1 : length < 65536 ? 3 : 5);
      expect(written((writer) => writer.mapHeader(length)).length).toBe(length < 16 ? 1 : length < 65536 ? 3 : 5);
    }
  });
});
