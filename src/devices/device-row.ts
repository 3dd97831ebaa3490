import { Architecture, DriveType, SystemPlatform, Timestamp, type DeviceResponseDto, type Drive } from '#libs/contracts';

import { isOutdated } from './agent-version.js';
import type { DeviceResponseDto as DeviceJson } from './device.dto.js';
import type { StoredDrive } from './device.entity.js';

/** A device as {@link deviceColumns} reads it. */
export interface DeviceRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly name: string;
  readonly alias: string;
  readonly agent_version: string;
  readonly connection_id: string;
  readonly dns_host_name: string;
  readonly os_description: string;
  readonly local_ip_v4: string;
  readonly local_ip_v6: string;
  readonly public_ip_v4: string;
  readonly public_ip_v6: string;
  readonly cpu_utilization: number;
  readonly total_memory: number;
  readonly used_memory: number;
  readonly total_storage: number;
  readonly used_storage: number;
  readonly processor_count: number;
  readonly is64_bit: boolean;
  readonly is_online: boolean;
  readonly last_seen: Date;
  readonly os_architecture: number;
  readonly platform: number;
  readonly current_users: readonly string[];
  readonly mac_addresses: readonly string[];
  readonly drives: readonly StoredDrive[];
  /** Null when the device carries no tag. */
  readonly tag_ids: readonly string[] | null;
}

const PLAIN_COLUMNS = [
  'id',
  'tenant_id',
  'customer_id',
  'name',
  'alias',
  'agent_version',
  'connection_id',
  'dns_host_name',
  'os_description',
  'local_ip_v4',
  'local_ip_v6',
  'public_ip_v4',
  'public_ip_v6',
  'cpu_utilization',
  'total_memory',
  'used_memory',
  'total_storage',
  'used_storage',
  'processor_count',
  'is64_bit',
  'is_online',
  'last_seen',
  'os_architecture',
  'platform',
  'current_users',
  'mac_addresses',
  'drives',
] as const satisfies readonly (keyof DeviceRow)[];

/** The select list of a {@link DeviceRow} on the alias of a `devices` row; tags and customer come by index, only where there are any. */
export function deviceColumns(alias: string): string {
  return [
    ...PLAIN_COLUMNS.map((column) => `${alias}.${column}`),
    `(SELECT customer.name FROM customers customer WHERE customer.id = ${alias}.customer_id) AS customer_name`,
    `CASE WHEN ${alias}.is_tagged
       THEN ARRAY(SELECT tagging.tag_id FROM device_tags tagging WHERE tagging.device_id = ${alias}.id ORDER BY tagging.tag_id)
     END AS tag_ids`,
  ].join(', ');
}

/** The device as hubs push it. `serverAgentVersion` is what the server hands out, null when nothing is published. */
export function toDeviceResponse(row: DeviceRow, serverAgentVersion: string | null): DeviceResponseDto {
  return {
    name: row.name,
    agentVersion: row.agent_version,
    cpuUtilization: row.cpu_utilization,
    id: row.id,
    is64Bit: row.is64_bit,
    isOnline: row.is_online,
    lastSeen: Timestamp.fromDate(row.last_seen),
    osArchitecture: Architecture.decode(row.os_architecture, 'json'),
    platform: SystemPlatform.decode(row.platform, 'json'),
    processorCount: row.processor_count,
    connectionId: row.connection_id,
    osDescription: row.os_description,
    tenantId: row.tenant_id,
    totalMemory: row.total_memory,
    totalStorage: row.total_storage,
    usedMemory: row.used_memory,
    usedStorage: row.used_storage,
    currentUsers: [...row.current_users],
    macAddresses: [...row.mac_addresses],
    publicIpV4: row.public_ip_v4,
    publicIpV6: row.public_ip_v6,
    localIpV4: row.local_ip_v4,
    localIpV6: row.local_ip_v6,
    drives: row.drives.map(toDrive),
    isOutdated: isOutdated(row.agent_version, serverAgentVersion),
    dnsHostName: row.dns_host_name,
    tagIds: row.tag_ids === null ? null : [...row.tag_ids],
    alias: row.alias,
    customerId: row.customer_id,
    customerName: row.customer_name,
  };
}

/**
 * The device as an HTTP body: what `DeviceResponseDto.encode(toDeviceResponse(row), 'json')` gives, without the values in
 * between, because lists write a hundred thousand of them.
 */
export function toDeviceJson(row: DeviceRow, serverAgentVersion: string | null): DeviceJson {
  return {
    name: row.name,
    agentVersion: row.agent_version,
    cpuUtilization: row.cpu_utilization,
    id: row.id,
    is64Bit: row.is64_bit,
    isOnline: row.is_online,
    lastSeen: instantText(row.last_seen),
    osArchitecture: row.os_architecture,
    platform: row.platform,
    processorCount: row.processor_count,
    connectionId: row.connection_id,
    osDescription: row.os_description,
    tenantId: row.tenant_id,
    totalMemory: row.total_memory,
    totalStorage: row.total_storage,
    usedMemory: row.used_memory,
    usedStorage: row.used_storage,
    currentUsers: row.current_users,
    macAddresses: row.mac_addresses,
    publicIpV4: row.public_ip_v4,
    publicIpV6: row.public_ip_v6,
    localIpV4: row.local_ip_v4,
    localIpV6: row.local_ip_v6,
    drives: row.drives,
    isOutdated: isOutdated(row.agent_version, serverAgentVersion),
    dnsHostName: row.dns_host_name,
    tagIds: row.tag_ids,
    alias: row.alias,
    customerId: row.customer_id,
    customerName: row.customer_name,
  };
}

/** An instant as device bodies write it: offset `+00:00`, no trailing zeros in the fraction. */
export function instantText(instant: Date): string {
  const text = instant.toISOString();
  const fraction = text.slice(20, 23);
  return `${text.slice(0, 19)}${fraction === '000' ? '' : `.${fraction.replace(/0+$/, '')}`}+00:00`;
}

function toDrive(drive: StoredDrive): Drive {
  return { ...drive, driveType: DriveType.decode(drive.driveType, 'json') };
}
