import { describe, expect, it } from 'vitest';

import { Permission } from '../../../access/authorization/permissions/permission.js';
import { KEY_PENDING_REASON } from '../../../platform/common/errors/errors.js';
import { isPendingAfter, KeyChange, keyChangeOf, keyColumns, keyInForce, waitsBeside, type RegisteredKeys } from './key-change.js';

const NOW = new Date(0);
const inForce = (publicKey: string): RegisteredKeys => ({ publicKey, isKeyPending: false, waitingPublicKey: '' });
const waitingAlone = (publicKey: string): RegisteredKeys => ({ publicKey, isKeyPending: true, waitingPublicKey: '' });
const waitingBeside = (publicKey: string, waitingPublicKey: string): RegisteredKeys => ({
  publicKey,
  isKeyPending: true,
  waitingPublicKey,
});

const { None, Replaced, Pending, Waiting, Confirmed } = KeyChange;
/** Effect of a registration on the keys, and the key columns of the device that it writes. */
type Effect = readonly [KeyChange, object];
const STAYS: Effect = [None, {}];
const setsFirst = (publicKey: string): Effect => [None, { publicKey }];
const replaces = (publicKey: string): Effect => [Replaced, { publicKey }];
const waitsAlone = (publicKey: string): Effect => [Pending, { publicKey, keyPendingSince: NOW }];
const waits = (key: string): Effect => [Waiting, { waitingPublicKey: key, waitingUpdateTicks: '0', keyPendingSince: NOW }];
const CONFIRMS: Effect = [Confirmed, { waitingPublicKey: '', keyPendingSince: null }];

describe('a registration', () => {
  it.each<[string, RegisteredKeys | null, string | null, { readonly needed: Effect; readonly notNeeded: Effect }]>([
    ['with the key in force', inForce('a'), 'a', { needed: setsFirst('a'), notNeeded: setsFirst('a') }],
    ['without a key', inForce('a'), null, { needed: STAYS, notNeeded: STAYS }],
    ['with another key', inForce('a'), 'b', { needed: waits('b'), notNeeded: replaces('b') }],
    ['with a first key', inForce(''), 'b', { needed: waitsAlone('b'), notNeeded: setsFirst('b') }],
    ['of a deleted device', null, 'b', { needed: waitsAlone('b'), notNeeded: setsFirst('b') }],
    ['of a deleted device without a key', null, null, { needed: waitsAlone(''), notNeeded: STAYS }],
    ['with the key that waits', waitingBeside('a', 'b'), 'b', { needed: STAYS, notNeeded: STAYS }],
    ['with the only key, which waits', waitingAlone('b'), 'b', { needed: STAYS, notNeeded: STAYS }],
    ['without a key while one waits', waitingBeside('a', 'b'), null, { needed: STAYS, notNeeded: STAYS }],
    ['with a third key while one waits', waitingBeside('a', 'b'), 'c', { needed: waits('c'), notNeeded: waits('c') }],
    ['with another key while the only one waits', waitingAlone('b'), 'c', { needed: waitsAlone('c'), notNeeded: waitsAlone('c') }],
    ['with the key in force while another waits', waitingBeside('a', 'b'), 'a', { needed: CONFIRMS, notNeeded: CONFIRMS }],
    ['with a key where one is awaited', waitingAlone(''), 'b', { needed: waitsAlone('b'), notNeeded: waitsAlone('b') }],
  ])('%s changes the keys as the tenant requires', (_, existing, publicKey, { needed, notNeeded }) => {
    for (const [needsApproval, expected] of [
      [true, needed],
      [false, notNeeded],
    ] as const) {
      const change = keyChangeOf(existing, publicKey, needsApproval);
      expect([change, keyColumns(change, existing, publicKey, NOW)]).toEqual(expected);
    }
  });

  it('leaves the device to the key in force as long as another one waits', () => {
    const beside = waitingBeside('a', 'b');
    expect([keyInForce(inForce('a')), keyInForce(waitingAlone('a')), keyInForce(beside)]).toEqual(['a', '', 'a']);
    expect([waitsBeside(Waiting, inForce('a')), waitsBeside(None, beside)]).toEqual([true, true]);
    expect([waitsBeside(Confirmed, beside), waitsBeside(None, inForce('a')), waitsBeside(Pending, inForce(''))]).toEqual([
      false,
      false,
      false,
    ]);
    expect([isPendingAfter(Pending, inForce('')), isPendingAfter(None, waitingAlone('a'))]).toEqual([true, true]);
    expect([isPendingAfter(None, beside), isPendingAfter(Waiting, inForce('a'))]).toEqual([false, false]);
  });
});

it('the refusal names the permission that approves', () => {
  expect(KEY_PENDING_REASON).toContain(` ${Permission.DeviceAgentUpdate.name} `);
});
