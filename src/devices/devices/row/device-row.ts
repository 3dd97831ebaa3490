import { Architecture, DriveType, SystemPlatform, Timestamp, type DeviceResponseDto, type Drive } from '#libs/contracts';

import { isOutdated } from '../agent-version.js';
import type { DeviceResponseDto as DeviceJson } from '../device.dto.js';
import type { DeviceRow, StoredDrive } from './device-fields.js';

/** The device as an HTTP body. `serverAgentVersion` is the version that the server hands out, or null when none is published. */
export function toDeviceJson(row: DeviceRow, serverAgentVersion: string | null): DeviceJson {
  return bodyOf(row, instantText(row.lastSeen), serverAgentVersion);
}

/** The device as hubs send it: as in an HTTP body, with the values of the contract's types. */
export function toDeviceResponse(row: DeviceRow, serverAgentVersion: string | null): DeviceResponseDto {
  return {
    ...bodyOf(row, Timestamp.fromDate(row.lastSeen), serverAgentVersion),
    osArchitecture: Architecture.decode(row.osArchitecture, 'json'),
    platform: SystemPlatform.decode(row.platform, 'json'),
    currentUsers: [...row.currentUsers],
    macAddresses: [...row.macAddresses],
    drives: row.drives.map(toDrive),
    tagIds: row.tagIds === null ? null : [...row.tagIds],
  };
}

/** An instant as device bodies write it: with offset `+00:00` and without trailing zeros in the fraction of a second. */
export function instantText(instant: Date): string {
  const text = instant.toISOString();
  const fraction = text.slice(20, 23);
  return `${text.slice(0, 19)}${fraction === '000' ? '' : `.${fraction.replace(/0+$/, '')}`}+00:00`;
}

/**
 * The members of a body; `lastSeen` is given in the form that the body needs. Written by hand because lists call it for every
 * device: filling the object from the table of fields takes three times as long. A test compares the result with the table.
 */
function bodyOf<L>(row: DeviceRow, lastSeen: L, serverAgentVersion: string | null) {
  return {
    name: row.name,
    agentVersion: row.agentVersion,
    cpuUtilization: row.cpuUtilization,
    id: row.id,
    is64Bit: row.is64Bit,
    isOnline: row.isOnline,
    lastSeen,
    osArchitecture: row.osArchitecture,
    platform: row.platform,
    processorCount: row.processorCount,
    connectionId: row.connectionId,
    osDescription: row.osDescription,
    tenantId: row.tenantId,
    totalMemory: row.totalMemory,
    totalStorage: row.totalStorage,
    usedMemory: row.usedMemory,
    usedStorage: row.usedStorage,
    currentUsers: row.currentUsers,
    macAddresses: row.macAddresses,
    publicIpV4: row.publicIpV4,
    publicIpV6: row.publicIpV6,
    localIpV4: row.localIpV4,
    localIpV6: row.localIpV6,
    drives: row.drives,
    isOutdated: isOutdated(row.agentVersion, serverAgentVersion),
    dnsHostName: row.dnsHostName,
    tagIds: row.tagIds,
    alias: row.alias,
    customerId: row.customerId,
    customerName: row.customerName,
  };
}

function toDrive(drive: StoredDrive): Drive {
  return { ...drive, driveType: DriveType.decode(drive.driveType, 'json') };
}
