import { describe, expect, it } from 'vitest';

import { Permission } from '../authorization/permission.js';
import { KEY_PENDING_REASON } from '../common/errors.js';
import { isPendingAfter, KeyChange, keyChangeOf, pendingKeyColumns, type RegisteredKey } from './key-change.js';

const NOW = new Date(0);
const inForce = (publicKey: string): RegisteredKey => ({ publicKey, isKeyPending: false, formerPublicKey: '' });
const waiting = (publicKey: string, formerPublicKey: string): RegisteredKey => ({ publicKey, isKeyPending: true, formerPublicKey });
const waits = (formerPublicKey: string) => ({ keyPendingSince: NOW, formerPublicKey });
const ENDS = { keyPendingSince: null, formerPublicKey: '' };
const STAYS = {};

describe('a registration', () => {
  it.each<[string, RegisteredKey | null, string | null, { needed: [KeyChange, object]; notNeeded: [KeyChange, object] }]>([
    ['with the key that is in force', inForce('a'), 'a', { needed: [KeyChange.None, STAYS], notNeeded: [KeyChange.None, STAYS] }],
    ['without a key', inForce('a'), null, { needed: [KeyChange.None, STAYS], notNeeded: [KeyChange.None, STAYS] }],
    ['with another key', inForce('a'), 'b', { needed: [KeyChange.Pending, waits('a')], notNeeded: [KeyChange.Replaced, STAYS] }],
    ['with a first key', inForce(''), 'b', { needed: [KeyChange.Pending, waits('')], notNeeded: [KeyChange.None, STAYS] }],
    ['of a deleted device', null, 'b', { needed: [KeyChange.Pending, waits('')], notNeeded: [KeyChange.None, STAYS] }],
    ['of a deleted device without a key', null, null, { needed: [KeyChange.Pending, waits('')], notNeeded: [KeyChange.None, STAYS] }],
    ['with the key that waits', waiting('b', 'a'), 'b', { needed: [KeyChange.None, STAYS], notNeeded: [KeyChange.None, STAYS] }],
    ['without a key while one waits', waiting('b', 'a'), null, { needed: [KeyChange.None, STAYS], notNeeded: [KeyChange.None, STAYS] }],
    [
      'with a third key while one waits',
      waiting('b', 'a'),
      'c',
      { needed: [KeyChange.Pending, waits('a')], notNeeded: [KeyChange.Pending, waits('a')] },
    ],
    ['with the former key', waiting('b', 'a'), 'a', { needed: [KeyChange.Restored, ENDS], notNeeded: [KeyChange.Restored, ENDS] }],
    [
      'with a key where none was in force',
      waiting('', ''),
      'b',
      { needed: [KeyChange.Pending, waits('')], notNeeded: [KeyChange.Pending, waits('')] },
    ],
  ])('%s changes the key as the tenant wants it', (_, existing, publicKey, { needed, notNeeded }) => {
    for (const [needsApproval, expected] of [
      [true, needed],
      [false, notNeeded],
    ] as const) {
      const change = keyChangeOf(existing, publicKey, needsApproval);
      expect([change, pendingKeyColumns(change, existing, NOW)]).toEqual(expected);
      const remains = change === KeyChange.None && existing?.isKeyPending === true;
      expect(isPendingAfter(change, existing)).toBe(change === KeyChange.Pending || remains);
    }
  });
});

it('the refusal names the permission that approves', () => {
  expect(KEY_PENDING_REASON).toContain(` ${Permission.DeviceAgentUpdate.name} `);
});
