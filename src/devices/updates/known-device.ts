import type { KeyObject } from 'node:crypto';

import { digestOf, type DeviceDetails } from '../device-details.js';
import type { KnownDeviceRow } from './known-devices.repository.js';
import { readPublicKey } from './update-acceptance.js';

/** What an update of a device is checked against. */
export interface KnownDevice {
  /** The stored key as base64 text; empty while none is stored. */
  readonly publicKey: string;
  /** The same key, parsed; null when none is stored or the text is no key. */
  readonly key: KeyObject | null;
  /** The signed time of the last accepted update, in ticks; 0 before the first. */
  readonly lastUpdateTicks: bigint;
  /** The digest of the stored details. */
  readonly detailsDigest: string;
}

/** Stands for a device that is not stored yet. */
export const NEW_DEVICE: KnownDevice = { publicKey: '', key: null, lastUpdateTicks: 0n, detailsDigest: '' };

/** What the row of a device says. */
export function knownDeviceOf(row: KnownDeviceRow): KnownDevice {
  const key = row.public_key === '' ? null : readPublicKey(row.public_key);
  return {
    publicKey: row.public_key,
    key: typeof key === 'string' ? null : key,
    lastUpdateTicks: BigInt(row.last_update_ticks),
    detailsDigest: digestOf(storedDetails(row)),
  };
}

/** The stored details in the member order of a report, so that equal details have equal digests. */
function storedDetails(row: KnownDeviceRow): DeviceDetails {
  return {
    name: row.name,
    agentVersion: row.agent_version,
    is64Bit: row.is64_bit,
    osArchitecture: row.os_architecture,
    osDescription: row.os_description,
    platform: row.platform,
    processorCount: row.processor_count,
    currentUsers: row.current_users,
    macAddresses: row.mac_addresses,
    localIpV4: row.local_ip_v4,
    localIpV6: row.local_ip_v6,
    drives: row.drives.map((drive) => ({
      name: drive.name,
      driveType: drive.driveType,
      rootDirectory: drive.rootDirectory,
      driveFormat: drive.driveFormat,
      freeSpace: drive.freeSpace,
      totalSize: drive.totalSize,
      volumeLabel: drive.volumeLabel,
    })),
    dnsHostName: row.dns_host_name,
  };
}
