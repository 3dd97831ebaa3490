import type { DeviceUpdateRequestDto } from '#libs/contracts';

import type { DeviceDetails } from '../device-details.js';
import type { DeviceRow } from '../device-row.js';
import type { WrittenDevice } from './update-writer.repository.js';

/**
 * The row of a device after an update, put together from the report and from what the write read back. `details` must be complete:
 * a missing detail would appear empty instead of as stored.
 */
export function reportedRow(
  report: DeviceUpdateRequestDto,
  details: DeviceDetails,
  written: WrittenDevice,
  connectionId: string,
  seenAt: Date,
): DeviceRow {
  return {
    id: report.id,
    tenant_id: written.tenantId,
    customer_id: written.customerId,
    customer_name: written.customerName,
    name: details.name ?? '',
    alias: written.alias,
    agent_version: details.agentVersion ?? '',
    connection_id: connectionId,
    dns_host_name: details.dnsHostName,
    os_description: details.osDescription ?? '',
    local_ip_v4: details.localIpV4 ?? '',
    local_ip_v6: details.localIpV6 ?? '',
    public_ip_v4: written.publicIpV4,
    public_ip_v6: written.publicIpV6,
    cpu_utilization: report.cpuUtilization,
    total_memory: report.totalMemory,
    used_memory: report.usedMemory,
    total_storage: report.totalStorage,
    used_storage: report.usedStorage,
    processor_count: details.processorCount,
    is64_bit: details.is64Bit,
    is_online: true,
    last_seen: seenAt,
    os_architecture: details.osArchitecture,
    platform: details.platform,
    current_users: details.currentUsers ?? [],
    mac_addresses: details.macAddresses ?? [],
    drives: details.drives ?? [],
    tag_ids: written.tagIds,
  };
}
