import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { DeviceUpdateRequestDto, signedDtoOf, type DeviceResponseDto } from '#libs/contracts';

import { NEW_DEVICE, type KnownDevice } from './known-device.js';
import { readPublicKey, UpdateRefusal } from './update-acceptance.js';
import {
  checkFreshness,
  DECOMMISSIONED,
  isRefused,
  outcomeOf,
  refused,
  verify,
  type ReceivedUpdate,
  type VerifiedUpdate,
} from './update-decision.js';

const vector: { envelopeJson: object; publicKeyBase64: string; ticks: string } = JSON.parse(
  readFileSync(new URL('../../../../libs/contracts/src/fixtures/signing-vector.json', import.meta.url), 'utf8'),
);
const Envelope = signedDtoOf(DeviceUpdateRequestDto);
const OTHER_KEY = Buffer.alloc(32, 1).toString('base64');
const TICKS = BigInt(vector.ticks);

/** The worked example of the contract, with another key in its envelope if one is given. */
function signed(changes: { readonly publicKey?: string | null } = {}): ReceivedUpdate {
  const envelope = { ...Envelope.decode(vector.envelopeJson, 'json'), ...changes };
  return { report: envelope.dto, envelope };
}

const unsigned = (): ReceivedUpdate => ({ ...signed(), envelope: null });

function deviceWith(publicKey: string): KnownDevice {
  const key = readPublicKey(publicKey);
  return { ...NEW_DEVICE, publicKey, key: typeof key === 'string' ? null : key };
}

describe('verify', () => {
  it('takes the key of the envelope for a device without one', async () => {
    expect(await verify(signed(), NEW_DEVICE)).toMatchObject({ publicKey: vector.publicKeyBase64, signedTicks: TICKS });
  });

  it('checks with the stored key', async () => {
    expect(await verify(signed(), deviceWith(vector.publicKeyBase64))).toMatchObject({ publicKey: vector.publicKeyBase64 });
  });

  it.each<[string, ReceivedUpdate, KnownDevice, UpdateRefusal]>([
    ['a device with another stored key', signed(), deviceWith(OTHER_KEY), UpdateRefusal.Signature],
    ['an envelope that was changed', signed({ publicKey: OTHER_KEY }), deviceWith(vector.publicKeyBase64), UpdateRefusal.Signature],
    ['no key at all', signed({ publicKey: null }), NEW_DEVICE, UpdateRefusal.KeyRequired],
    ['an invalid key', signed({ publicKey: 'AAAA' }), NEW_DEVICE, UpdateRefusal.KeyLength],
    ['no signature of a device with a key', unsigned(), deviceWith(OTHER_KEY), UpdateRefusal.SignatureRequired],
  ])('refuses %s', async (_what, update, device, reason) => {
    expect(await verify(update, device)).toEqual(refused(reason));
  });

  it('accepts an unsigned update of a device without a key', async () => {
    expect(await verify(unsigned(), NEW_DEVICE)).toEqual({ publicKey: '', key: null, signedTicks: null });
  });
});

describe('checkFreshness', () => {
  /** 2026-01-01T00:00:00Z, in milliseconds since 1970 and in ticks since the year 1. */
  const NOW = Date.UTC(2026, 0, 1);
  const NOW_TICKS = 621_355_968_000_000_000n + BigInt(NOW) * 10_000n;
  const MINUTE = 60_000;
  const verified = (signedTicks: bigint | null): VerifiedUpdate => ({ publicKey: OTHER_KEY, key: null, signedTicks });
  const deviceAt = (lastUpdateTicks: bigint): KnownDevice => ({ ...NEW_DEVICE, lastUpdateTicks });

  it('gives the time that must be newer than the stored one', () => {
    expect(checkFreshness(verified(NOW_TICKS), deviceAt(NOW_TICKS - 1n), NOW, MINUTE)).toEqual({
      publicKey: OTHER_KEY,
      key: null,
      ticks: NOW_TICKS,
    });
  });

  it('refuses a repetition', () => {
    expect(checkFreshness(verified(NOW_TICKS), deviceAt(NOW_TICKS), NOW, MINUTE)).toEqual(refused(UpdateRefusal.Stale));
  });

  it('refuses a time outside of the tolerance, with the offset of the clock', () => {
    const hour = 36_000_000_000n;
    const check = (ticks: bigint) => checkFreshness(verified(ticks), deviceAt(0n), NOW, MINUTE);
    expect(check(NOW_TICKS + hour)).toEqual({ ...refused(UpdateRefusal.Stale), clockOffset: 60 * MINUTE });
    expect(check(NOW_TICKS - hour)).toEqual({ ...refused(UpdateRefusal.Stale), clockOffset: -60 * MINUTE });
  });

  it.each<[string, bigint | null, number | null]>([
    ['without a tolerance', 1n, null],
    ['of an unsigned update', null, MINUTE],
  ])('compares no times %s', (_what, signedTicks, tolerance) => {
    expect(checkFreshness(verified(signedTicks), deviceAt(NOW_TICKS), NOW, tolerance)).toMatchObject({ ticks: null });
  });
});

describe('isRefused', () => {
  it('tells a refusal from results and from other outcomes', () => {
    expect([refused('why'), DECOMMISSIONED, NEW_DEVICE].map(isRefused)).toEqual([true, false, false]);
  });
});

describe('outcomeOf', () => {
  it.each([
    ['the device of an accepted update', { outcome: 'accepted' as const, response: { id: 'a' } as DeviceResponseDto }, true, false],
    ['the reason of a refused one', refused('why'), false, false],
    ['that the server is decommissioned', DECOMMISSIONED, false, true],
  ])('answers %s', (_what, decision, isSuccess, uninstall) => {
    const { result, uninstall: tellsToUninstall } = outcomeOf(decision);
    expect([result.isSuccess, tellsToUninstall]).toEqual([isSuccess, uninstall]);
  });
});
