import type { KeyObject } from 'node:crypto';

import type { AgentPlace } from '../../device-link/agent-place.js';
import type { KnownDeviceRow } from './known-devices.repository.js';
import { readPublicKey } from './update-acceptance.js';

/** State of a device against which its updates are checked. */
export interface KnownDevice {
  /** The stored key as base64 text; empty while none is stored. */
  readonly publicKey: string;
  /** The same key, parsed; null when none is stored or the text is no key. */
  readonly key: KeyObject | null;
  /** True if it is the only key and waits for approval. Then updates leave the stored details as they are. */
  readonly isKeyPending: boolean;
  /** True if the key waits for approval beside the one in force. Then nothing of its updates is stored. */
  readonly isWaiting: boolean;
  /** The signed time of the last accepted update, in ticks; 0 before the first. */
  readonly lastUpdateTicks: bigint;
  /** The digest of the details that were written last: equal ones need not be written. Empty when it is not known. */
  readonly detailsDigest: string;
  /** Its place at the time when it was read; null when it was offline, or was read before the last update of its connection. */
  readonly formerPlace: AgentPlace | null;
}

/** Stands for a device that is not stored yet. */
export const NEW_DEVICE: KnownDevice = {
  publicKey: '',
  key: null,
  isKeyPending: false,
  isWaiting: false,
  lastUpdateTicks: 0n,
  detailsDigest: '',
  formerPlace: null,
};

/** Returns the state for an update that names this key, or none. The key in force decides unless the waiting one is named. */
export function knownDeviceOf(row: KnownDeviceRow, namedKey: string | null): KnownDevice {
  const isWaiting = namedKey !== null && namedKey !== '' && namedKey === row.waitingPublicKey;
  const publicKey = isWaiting ? row.waitingPublicKey : row.publicKey;
  const key = publicKey === '' ? null : readPublicKey(publicKey);
  return {
    publicKey,
    key: typeof key === 'string' ? null : key,
    isKeyPending: row.isKeyPending,
    isWaiting,
    lastUpdateTicks: BigInt(isWaiting ? row.waitingUpdateTicks : row.lastUpdateTicks),
    detailsDigest: row.detailsDigest,
    formerPlace: row.nodeId === null ? null : { nodeId: row.nodeId, connectionId: row.connectionId },
  };
}
