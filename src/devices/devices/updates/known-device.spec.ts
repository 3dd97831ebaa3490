import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { knownDeviceOf } from './known-device.js';
import type { KnownDeviceRow } from './known-devices.repository.js';

const { publicKeyBase64 }: { publicKeyBase64: string } = JSON.parse(
  readFileSync(new URL('../../../../libs/contracts/src/fixtures/signing-vector.json', import.meta.url), 'utf8'),
);

function rowWith(values: Partial<KnownDeviceRow>): KnownDeviceRow {
  return {
    id: '0197a8f0-0000-7000-8000-000000000001',
    publicKey: '',
    lastUpdateTicks: '0',
    isKeyPending: false,
    waitingPublicKey: '',
    waitingUpdateTicks: '0',
    nodeId: null,
    connectionId: '',
    detailsDigest: '',
    ...values,
  };
}

describe('knownDeviceOf', () => {
  it('parses the stored key and time', () => {
    const device = knownDeviceOf(rowWith({ publicKey: publicKeyBase64, lastUpdateTicks: '9007199254740993' }), null);
    expect(device).toMatchObject({ publicKey: publicKeyBase64, lastUpdateTicks: 9_007_199_254_740_993n });
    expect(device.key?.asymmetricKeyType).toBe('ed25519');
  });

  it.each([[''], ['no key']])('has no key for the text %j', (publicKey) => {
    expect(knownDeviceOf(rowWith({ publicKey }), null)).toMatchObject({ publicKey, key: null });
  });
});
