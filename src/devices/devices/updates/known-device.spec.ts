import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { DeviceUpdateRequestDto, signedDtoOf } from '#libs/contracts';

import { detailsOf, digestOf } from '../row/device-details.js';
import { knownDeviceOf } from './known-device.js';
import type { KnownDeviceRow } from './known-devices.repository.js';
import { reportedRow } from './reported-row.js';

const vector: { envelopeJson: object; publicKeyBase64: string } = JSON.parse(
  readFileSync(new URL('../../../../libs/contracts/src/fixtures/signing-vector.json', import.meta.url), 'utf8'),
);
const report = signedDtoOf(DeviceUpdateRequestDto).decode(vector.envelopeJson, 'json').dto;

/** The row of a device as the report left it. */
function rowWith(values: Partial<KnownDeviceRow>): KnownDeviceRow {
  const written = {
    id: report.id,
    tenantId: report.tenantId,
    alias: '',
    publicIpV4: '',
    publicIpV6: '',
    customerId: null,
    customerName: null,
    tagIds: null,
    isKeyPending: false,
  };
  const row = reportedRow(report, detailsOf(report), written, 'node.connection', new Date(0));
  const keys = { publicKey: '', lastUpdateTicks: '0', isKeyPending: false, waitingPublicKey: '', waitingUpdateTicks: '0' };
  return { ...row, ...keys, nodeId: null, ...values };
}

describe('knownDeviceOf', () => {
  it('knows the details that were reported last, so that equal ones are not written again', () => {
    expect(knownDeviceOf(rowWith({}), null).detailsDigest).toBe(digestOf(detailsOf(report)));
    expect(knownDeviceOf(rowWith({ name: 'renamed' }), null).detailsDigest).not.toBe(digestOf(detailsOf(report)));
  });

  it('parses the stored key and time', () => {
    const device = knownDeviceOf(rowWith({ publicKey: vector.publicKeyBase64, lastUpdateTicks: '9007199254740993' }), null);
    expect(device).toMatchObject({ publicKey: vector.publicKeyBase64, lastUpdateTicks: 9_007_199_254_740_993n });
    expect(device.key?.asymmetricKeyType).toBe('ed25519');
  });

  it.each([[''], ['no key']])('has no key for the text %j', (publicKey) => {
    expect(knownDeviceOf(rowWith({ publicKey }), null)).toMatchObject({ publicKey, key: null });
  });
});
