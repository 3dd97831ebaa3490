import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519';

import { DeviceUpdateRequestDto, signedDtoOf, signedPayload, type SignedDto } from '#libs/contracts';

import { isStale, readPublicKey, UpdateRefusal, verifySignature } from './update-acceptance.js';

const vector: { envelopeJson: object; publicKeyBase64: string; ticks: string } = JSON.parse(
  readFileSync(new URL('../../../../libs/contracts/src/fixtures/signing-vector.json', import.meta.url), 'utf8'),
);
const Envelope = signedDtoOf(DeviceUpdateRequestDto);

/** 2026-01-01T00:00:00Z, as milliseconds since 1970 and as ticks since the year 1. */
const NOW_MS = Date.UTC(2026, 0, 1);
const NOW_TICKS = 621_355_968_000_000_000n + BigInt(NOW_MS) * 10_000n;
const MINUTE_MS = 60_000;
const MINUTE_TICKS = 600_000_000n;

describe('readPublicKey', () => {
  it.each<[string | null, UpdateRefusal]>([
    [null, UpdateRefusal.KeyRequired],
    ['', UpdateRefusal.KeyRequired],
    ['????', UpdateRefusal.KeyFormat],
    ['AAA', UpdateRefusal.KeyFormat],
    [`${'A'.repeat(40)}-_==`, UpdateRefusal.KeyFormat],
    [` ${Buffer.alloc(32).toString('base64')}`, UpdateRefusal.KeyFormat],
    ['AAAA', UpdateRefusal.KeyLength],
    [Buffer.alloc(31).toString('base64'), UpdateRefusal.KeyLength],
    [Buffer.alloc(33).toString('base64'), UpdateRefusal.KeyLength],
  ])('refuses %j: %s', (text, refusal) => {
    expect(readPublicKey(text)).toBe(refusal);
  });

  it('reads standard base64 of 32 bytes as the Ed25519 key that it is', async () => {
    const bytes = await getPublicKeyAsync(utils.randomSecretKey());
    const key = readPublicKey(Buffer.from(bytes).toString('base64'));
    if (typeof key === 'string') throw new Error(key);
    expect(key.asymmetricKeyType).toBe('ed25519');
    expect(key.export({ format: 'jwk' }).x).toBe(Buffer.from(bytes).toString('base64url'));
  });
});

describe('verifySignature', () => {
  const key = readPublicKey(vector.publicKeyBase64);
  if (typeof key === 'string') throw new Error(key);
  const example = (): SignedDto<DeviceUpdateRequestDto> => Envelope.decode(vector.envelopeJson, 'json');

  it('holds for the worked example of the contract', async () => {
    expect(example().timestamp.ticks).toBe(BigInt(vector.ticks));
    await expect(verifySignature(key, example())).resolves.toBe(true);
  });

  it.each<[string, (envelope: SignedDto<DeviceUpdateRequestDto>) => void]>([
    ['any bit of the signature', ({ signature }) => void (signature[0] ^= 1)],
    ['the length of the signature', (envelope) => void (envelope.signature = Buffer.concat([envelope.signature, Buffer.alloc(1)]))],
    ['the device', ({ dto }) => void (dto.id = dto.tenantId)],
    ['the last member of the report', ({ dto }) => void (dto.dnsHostName += ' ')],
    ['a text that becomes null', ({ dto }) => void (dto.localIpV6 = null)],
    ['the order of a list', ({ dto }) => void (dto.currentUsers = ['other', ...(dto.currentUsers ?? [])])],
    ['the key that the envelope names', (envelope) => void (envelope.publicKey = null)],
  ])('fails after a change of %s', async (_, change) => {
    const envelope = example();
    change(envelope);
    await expect(verifySignature(key, envelope)).resolves.toBe(false);
  });

  it('fails after a change of the seventh digit of the second', async () => {
    const later = Envelope.decode({ ...vector.envelopeJson, timestamp: '2026-09-14T10:11:12.1234568+00:00' }, 'json');
    await expect(verifySignature(key, later)).resolves.toBe(false);
  });

  it('holds for signatures that another library made', async () => {
    const seed = utils.randomSecretKey();
    const publicKey = Buffer.from(await getPublicKeyAsync(seed)).toString('base64');
    const { dto, timestamp } = example();
    const signature = await signAsync(signedPayload(dto, timestamp, publicKey), seed);
    const own = readPublicKey(publicKey);
    if (typeof own === 'string') throw new Error(own);
    await expect(verifySignature(own, { dto, timestamp, publicKey, signature })).resolves.toBe(true);
    await expect(verifySignature(key, { dto, timestamp, publicKey, signature })).resolves.toBe(false);
  });
});

describe('isStale', () => {
  it.each<[string, bigint, boolean]>([
    ['the present', 0n, false],
    ['the end of the tolerance in the past', -MINUTE_TICKS, false],
    ['one tick further in the past', -MINUTE_TICKS - 1n, true],
    ['the end of the tolerance in the future', MINUTE_TICKS, false],
    ['one tick further in the future', MINUTE_TICKS + 1n, true],
    ['the year 1', -NOW_TICKS, true],
  ])('is decided by the distance from now, inclusive both ways: %s', (_, away, stale) => {
    expect(isStale(NOW_TICKS + away, -1n, NOW_MS, MINUTE_MS)).toBe(stale);
  });

  it.each<[string, bigint, boolean]>([
    ['one tick newer than the last', -1n, false],
    ['equal to the last', 0n, true],
    ['one tick older than the last', 1n, true],
  ])('is decided by the last accepted time: %s', (_, ahead, stale) => {
    expect(isStale(NOW_TICKS, NOW_TICKS + ahead, NOW_MS, MINUTE_MS)).toBe(stale);
  });

  it('is true for every time but the present with a tolerance of zero', () => {
    expect(isStale(NOW_TICKS, 0n, NOW_MS, 0)).toBe(false);
    expect(isStale(NOW_TICKS + 1n, 0n, NOW_MS, 0)).toBe(true);
  });
});
