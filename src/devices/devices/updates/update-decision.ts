import type { KeyObject } from 'node:crypto';

import {
  hubFailure,
  hubValue,
  type DeviceResponseDto,
  type DeviceUpdateRequestDto,
  type HubResultOf,
  type SignedDto,
} from '#libs/contracts';

import type { KnownDevice } from './known-device.js';
import { isStale, millisecondsAhead, readPublicKey, UpdateRefusal, verifySignature } from './update-acceptance.js';

/** An update as it was decoded. */
export interface ReceivedUpdate {
  readonly report: DeviceUpdateRequestDto;
  /** Null for an unsigned update. */
  readonly envelope: SignedDto<DeviceUpdateRequestDto> | null;
}

/** An update that comes from the device that it reports. */
export interface VerifiedUpdate {
  /** The key that the signature fits, to be stored; empty for an unsigned update. */
  readonly publicKey: string;
  readonly key: KeyObject | null;
  /** Null for an unsigned update. */
  readonly signedTicks: bigint | null;
}

/** A verified update that is no repetition of an earlier one. */
export interface FreshUpdate extends Pick<VerifiedUpdate, 'publicKey' | 'key'> {
  /** The signed time, which must be newer than the stored one; null when times are not compared. */
  readonly ticks: bigint | null;
}

/** The update is stored; `response` is the device as it now stands. */
export interface Accepted {
  readonly outcome: 'accepted';
  readonly response: DeviceResponseDto;
}

/** Nothing was stored, for the reason that the agent is told. */
export interface Refused {
  readonly outcome: 'refused';
  readonly reason: string;
  /** Lead of the device's clock over the server's, in milliseconds; only when it is the reason of the refusal. */
  readonly clockOffset?: number;
}

/** The server is decommissioned: the device is deleted, and its agent must uninstall itself. */
export interface Decommissioned {
  readonly outcome: 'decommissioned';
}

/**
 * The row differs from the one that the update was checked against: it was deleted, registered again, or updated through another
 * connection.
 */
export interface Overtaken {
  readonly outcome: 'overtaken';
}

/** Answer of the gateway; `uninstall` is true if it must tell the agent to uninstall itself. */
export interface UpdateOutcome {
  readonly result: HubResultOf<DeviceResponseDto>;
  readonly uninstall: boolean;
}

export const DECOMMISSIONED: Decommissioned = { outcome: 'decommissioned' };
export const OVERTAKEN: Overtaken = { outcome: 'overtaken' };

export function refused(reason: string): Refused {
  return { outcome: 'refused', reason };
}

/** Checks that a step ended in a refusal instead of its result. */
export function isRefused(result: object): result is Refused {
  return 'outcome' in result && result.outcome === 'refused';
}

/**
 * Checks that an update comes from the device. A stored key decides alone, even if the envelope names another; the first signed update
 * of a device without a key brings it. Unsigned updates pass only while no key is stored.
 */
export async function verify({ envelope }: ReceivedUpdate, device: KnownDevice): Promise<VerifiedUpdate | Refused> {
  if (envelope === null) {
    return device.publicKey === '' ? { publicKey: '', key: null, signedTicks: null } : refused(UpdateRefusal.SignatureRequired);
  }
  const publicKey = device.publicKey === '' ? envelope.publicKey : device.publicKey;
  const key = device.key ?? readPublicKey(publicKey);
  if (typeof key === 'string') return refused(key);
  if (!(await verifySignature(key, envelope))) return refused(UpdateRefusal.Signature);
  return { publicKey: publicKey ?? '', key, signedTicks: envelope.timestamp.ticks };
}

/**
 * Checks that a verified update is no repetition: its signed time must be newer than that of the last accepted one and within the
 * tolerance from now, both in milliseconds. Without a tolerance (null), and for unsigned updates, times are not compared.
 */
export function checkFreshness(
  { publicKey, key, signedTicks }: VerifiedUpdate,
  device: KnownDevice,
  now: number,
  tolerance: number | null,
): FreshUpdate | Refused {
  if (signedTicks === null || tolerance === null) return { publicKey, key, ticks: null };
  if (isStale(signedTicks, device.lastUpdateTicks, now, tolerance)) {
    const clockOffset = millisecondsAhead(signedTicks, now);
    return { ...refused(UpdateRefusal.Stale), ...(Math.abs(clockOffset) > tolerance && { clockOffset }) };
  }
  return { publicKey, key, ticks: signedTicks };
}

/** The answer to an agent. */
export function outcomeOf(decision: Accepted | Refused | Decommissioned): UpdateOutcome {
  switch (decision.outcome) {
    case 'accepted':
      return { result: hubValue(decision.response), uninstall: false };
    case 'refused':
      return { result: hubFailure(decision.reason), uninstall: false };
    case 'decommissioned':
      return { result: hubFailure(UpdateRefusal.Decommissioned), uninstall: true };
  }
}
