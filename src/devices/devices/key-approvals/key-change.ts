import type { ExistingDevice } from '../registration/registration.repository.js';

/** Effect of a registration on the keys of a device. */
export enum KeyChange {
  /** The device is new, or its keys stay as they are, or it gets its first one. */
  None = 'None',
  /** Another key is in force from now on. */
  Replaced = 'Replaced',
  /** The only key of the device waits for approval: nothing speaks for it. */
  Pending = 'Pending',
  /** Another key waits for approval beside the one in force, which goes on speaking for the device. */
  Waiting = 'Waiting',
  /** The device was registered with the key in force: the one that waited is dropped. */
  Confirmed = 'Confirmed',
}

/** The keys of a registered device. */
export type RegisteredKeys = Pick<ExistingDevice, 'publicKey' | 'waitingPublicKey' | 'isKeyPending'>;

/** The columns of the keys that a registration writes. A column that stays as it is is left out. */
export interface KeyColumns {
  readonly publicKey?: string;
  readonly keyPendingSince?: Date | null;
  readonly waitingPublicKey?: string;
  readonly waitingUpdateTicks?: string;
}

/** The key that speaks for a device; empty while it has none, or only one that waits for approval. */
export function keyInForce({ publicKey, waitingPublicKey, isKeyPending }: RegisteredKeys): string {
  return isKeyPending && waitingPublicKey === '' ? '' : publicKey;
}

/**
 * Returns the effect of a registration with a key (null: without one) on the keys of a device that the server knows; `existing` is null
 * for a device that was deleted before. A device with a waiting key goes on having one with any next key, except for the one in force.
 */
export function keyChangeOf(existing: RegisteredKeys | null, publicKey: string | null, needsApproval: boolean): KeyChange {
  if (existing === null) return needsApproval ? KeyChange.Pending : KeyChange.None;
  if (publicKey === null) return KeyChange.None;
  const inForce = keyInForce(existing);
  const isWaiting = existing.isKeyPending;
  if (publicKey === inForce) return isWaiting ? KeyChange.Confirmed : KeyChange.None;
  if (isWaiting && publicKey === waitingKeyOf(existing)) return KeyChange.None;
  if (isWaiting || needsApproval) return inForce === '' ? KeyChange.Pending : KeyChange.Waiting;
  return inForce === '' ? KeyChange.None : KeyChange.Replaced;
}

/** Checks that another key than the one in force waits after the change, so that the registration says nothing about the device itself. */
export function waitsBeside(change: KeyChange, existing: RegisteredKeys | null): boolean {
  return change === KeyChange.Waiting || (change === KeyChange.None && existing !== null && existing.waitingPublicKey !== '');
}

/** Checks that the only key of the device waits for approval after the change. */
export function isPendingAfter(change: KeyChange, existing: RegisteredKeys | null): boolean {
  if (change === KeyChange.Pending) return true;
  return change === KeyChange.None && existing?.isKeyPending === true && existing.waitingPublicKey === '';
}

/** The columns of the keys after a change at `now`. */
export function keyColumns(change: KeyChange, existing: RegisteredKeys | null, publicKey: string | null, now: Date): KeyColumns {
  const key = publicKey ?? '';
  switch (change) {
    case KeyChange.Waiting:
      return { waitingPublicKey: key, waitingUpdateTicks: '0', keyPendingSince: now };
    case KeyChange.Confirmed:
      return { waitingPublicKey: '', keyPendingSince: null };
    case KeyChange.Pending:
      return { publicKey: key, keyPendingSince: now };
    case KeyChange.Replaced:
      return { publicKey: key };
    case KeyChange.None:
      return key === '' || existing?.isKeyPending === true ? {} : { publicKey: key };
  }
}

/** The key that waits; empty while none does, or while the device has not sent it yet. */
function waitingKeyOf({ publicKey, waitingPublicKey }: RegisteredKeys): string {
  return waitingPublicKey === '' ? publicKey : waitingPublicKey;
}
