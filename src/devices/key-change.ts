import type { ExistingDevice } from './registration.repository.js';

/** What a registration does to the key of a device. */
export enum KeyChange {
  /** The device is new, or keeps its key, or gets its first one. */
  None = 'None',
  /** Another key speaks for the device from now on. */
  Replaced = 'Replaced',
  /** Another key speaks for the device, and waits for approval. */
  Pending = 'Pending',
  /** The key that was in force before one that waits is back. */
  Restored = 'Restored',
}

/** The key of a registered device. */
export type RegisteredKey = Pick<ExistingDevice, 'publicKey' | 'formerPublicKey' | 'isKeyPending'>;

/** What the columns of a pending key hold after the change; empty when they stay as they are. */
export interface PendingKeyColumns {
  readonly keyPendingSince?: Date | null;
  readonly formerPublicKey?: string;
}

/**
 * What a registration with a key (null: without one) does to the key of a device that the server knows; `existing` is null for a device
 * that was deleted before. A device whose key waits goes on waiting whatever key comes next, except for the one that was in force.
 */
export function keyChangeOf(existing: RegisteredKey | null, publicKey: string | null, needsApproval: boolean): KeyChange {
  if (existing === null) return needsApproval ? KeyChange.Pending : KeyChange.None;
  if (publicKey === null || publicKey === existing.publicKey) return KeyChange.None;
  if (existing.isKeyPending) return publicKey === existing.formerPublicKey ? KeyChange.Restored : KeyChange.Pending;
  if (needsApproval) return KeyChange.Pending;
  return existing.publicKey === '' ? KeyChange.None : KeyChange.Replaced;
}

/** Whether the key of the device waits for approval after the change. */
export function isPendingAfter(change: KeyChange, existing: RegisteredKey | null): boolean {
  return change === KeyChange.Pending || (change === KeyChange.None && existing?.isKeyPending === true);
}

/** The columns of a pending key after a change at `now`. */
export function pendingKeyColumns(change: KeyChange, existing: RegisteredKey | null, now: Date): PendingKeyColumns {
  if (change === KeyChange.Restored) return { keyPendingSince: null, formerPublicKey: '' };
  if (change !== KeyChange.Pending) return {};
  const formerPublicKey = existing?.isKeyPending === true ? existing.formerPublicKey : (existing?.publicKey ?? '');
  return { keyPendingSince: now, formerPublicKey };
}
