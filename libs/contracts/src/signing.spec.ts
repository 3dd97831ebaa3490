import { decode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { verifyAsync } from '@noble/ed25519';
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arrayOf, DeviceUpdateRequestDto, Drive, signedDtoOf, signedPayload, Timestamp } from './index.js';

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
