import { Architecture, DriveType, RuntimeId, SystemPlatform } from '../enums.js';
import { arrayOf, nullable, optional, record } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_NAME_LENGTH } from '../wire/limits.js';
import { bool, float64, guid, int32, text, timestamp, version } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

/** A disk of a device. Sizes are in GiB. Its place is under the signature of DeviceUpdateRequestDto too. */
export const Drive = record('Drive', {
  driveType: DriveType,
  rootDirectory: text(MAX_NAME_LENGTH),
  name: text(MAX_NAME_LENGTH),
  driveFormat: text(MAX_NAME_LENGTH),
  freeSpace: float64,
  totalSize: float64,
  volumeLabel: text(MAX_NAME_LENGTH),
});
export type Drive = Infer<typeof Drive>;

/**
 * What an agent reports about its device. The order of the members is the order of the signed bytes. Texts and lists may be
 * null, as older agents send them: a null leaves what the server knows unchanged, and is under the signature as null.
 * Memory and storage are in GiB, the CPU's utilization is between 0 and 1.
 */
export const DeviceUpdateRequestDto = record('DeviceUpdateRequestDto', {
  id: guid,
  tenantId: guid,
  name: nullable(text(MAX_NAME_LENGTH)),
  agentVersion: nullable(text(MAX_NAME_LENGTH)),
  is64Bit: bool,
  osArchitecture: Architecture,
  osDescription: nullable(text(MAX_NAME_LENGTH)),
  platform: SystemPlatform,
  processorCount: int32,
  cpuUtilization: float64,
  totalMemory: float64,
  totalStorage: float64,
  usedMemory: float64,
  usedStorage: float64,
  currentUsers: nullable(arrayOf(text(MAX_NAME_LENGTH))),
  macAddresses: nullable(arrayOf(text(MAX_NAME_LENGTH))),
  localIpV4: nullable(text(MAX_NAME_LENGTH)),
  localIpV6: nullable(text(MAX_NAME_LENGTH)),
  drives: nullable(arrayOf(Drive)),
  dnsHostName: text(MAX_NAME_LENGTH),
});
export type DeviceUpdateRequestDto = Infer<typeof DeviceUpdateRequestDto>;

export const DeviceResponseDto = record('DeviceResponseDto', {
  name: text(MAX_NAME_LENGTH),
  agentVersion: text(MAX_NAME_LENGTH),
  cpuUtilization: float64,
  id: guid,
  is64Bit: bool,
  isOnline: bool,
  lastSeen: timestamp,
  osArchitecture: Architecture,
  platform: SystemPlatform,
  processorCount: int32,
  connectionId: text(MAX_IDENTIFIER_LENGTH),
  osDescription: text(MAX_NAME_LENGTH),
  tenantId: guid,
  totalMemory: float64,
  totalStorage: float64,
  usedMemory: float64,
  usedStorage: float64,
  currentUsers: arrayOf(text(MAX_NAME_LENGTH)),
  macAddresses: arrayOf(text(MAX_NAME_LENGTH)),
  publicIpV4: text(MAX_NAME_LENGTH),
  publicIpV6: text(MAX_NAME_LENGTH),
  localIpV4: text(MAX_NAME_LENGTH),
  localIpV6: text(MAX_NAME_LENGTH),
  drives: arrayOf(Drive),
  isOutdated: bool,
  dnsHostName: text(MAX_NAME_LENGTH),
  tagIds: nullable(arrayOf(guid)),
  alias: nullable(text(MAX_NAME_LENGTH)),
  customerId: nullable(guid),
  customerName: nullable(text(MAX_NAME_LENGTH)),
});
export type DeviceResponseDto = Infer<typeof DeviceResponseDto>;

export const CreateDeviceRequestDto = record('CreateDeviceRequestDto', {
  device: DeviceUpdateRequestDto,
  installerKeyId: guid,
  installerKeySecret: text(MAX_IDENTIFIER_LENGTH),
  tagIds: nullable(arrayOf(guid)),
  publicKey: nullable(text(MAX_IDENTIFIER_LENGTH)),
  customerId: optional(guid),
});
export type CreateDeviceRequestDto = Infer<typeof CreateDeviceRequestDto>;

export const BundleMetadataDto = record('BundleMetadataDto', {
  brandName: text(MAX_NAME_LENGTH),
  bundleDownloadUrl: text(MAX_NAME_LENGTH),
  bundleSha256: text(MAX_NAME_LENGTH),
  installerDownloadUrl: text(MAX_NAME_LENGTH),
  installerSha256: text(MAX_NAME_LENGTH),
  publisher: text(MAX_NAME_LENGTH),
  runtime: RuntimeId,
  version: version,
});
export type BundleMetadataDto = Infer<typeof BundleMetadataDto>;
