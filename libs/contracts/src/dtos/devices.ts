import { Architecture, DriveType, RuntimeId, SystemPlatform } from '../enums.js';
import { arrayOf, nullable, optional, record, withDefault } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_NAME_LENGTH } from '../wire/limits.js';
import { bool, float64, guid, int32, text, timestamp, version } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

/** A text that is empty when it is absent. Null stays null, because a signature covers it. */
const textOrNull = withDefault(nullable(text(MAX_NAME_LENGTH)), '');

export const Drive = record(
  'Drive',
  'A disk of a device. The order of the members is the order of the signed bytes. Agents may send null for texts: the signature covers the null, and the server answers with an empty text.',
  {
    driveType: DriveType,
    rootDirectory: textOrNull,
    name: textOrNull,
    driveFormat: textOrNull,
    freeSpace: float64,
    totalSize: float64,
    volumeLabel: textOrNull,
  },
  {
    freeSpace: 'In GiB.',
    totalSize: 'In GiB.',
    rootDirectory: 'For example `C:\\` or `/`.',
    driveFormat: 'The file system, for example `ext4`.',
  },
);
export type Drive = Infer<typeof Drive>;

export const DeviceUpdateRequestDto = record(
  'DeviceUpdateRequestDto',
  'What an agent reports about its device. The order of the members is the order of the signed bytes. Older agents send null for texts and lists: the server keeps its values, and the signature covers the null.',
  {
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
    currentUsers: nullable(arrayOf(nullable(text(MAX_NAME_LENGTH)))),
    macAddresses: nullable(arrayOf(nullable(text(MAX_NAME_LENGTH)))),
    localIpV4: nullable(text(MAX_NAME_LENGTH)),
    localIpV6: nullable(text(MAX_NAME_LENGTH)),
    drives: nullable(arrayOf(Drive)),
    dnsHostName: textOrNull,
  },
  {
    id: 'The device.',
    tenantId: 'The tenant that the agent was installed for. It does not move a known device.',
    processorCount: 'Logical processors.',
    cpuUtilization: 'From 0 to 1.',
    totalMemory: 'In GiB.',
    totalStorage: 'In GiB.',
    usedMemory: 'In GiB.',
    usedStorage: 'In GiB.',
    currentUsers: 'The users who are signed in on the device.',
    macAddresses: '12 hexadecimal digits each.',
  },
);
export type DeviceUpdateRequestDto = Infer<typeof DeviceUpdateRequestDto>;

export const DeviceResponseDto = record(
  'DeviceResponseDto',
  'A device as the server knows it.',
  {
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
  },
  {
    cpuUtilization: 'From 0 to 1.',
    isOnline: 'True if its agent is connected and has reported.',
    lastSeen: 'The time at which its agent last reported or disconnected.',
    connectionId: 'The hub connection of its agent; empty while it is offline.',
    processorCount: 'Logical processors.',
    totalMemory: 'In GiB.',
    totalStorage: 'In GiB.',
    usedMemory: 'In GiB.',
    usedStorage: 'In GiB.',
    currentUsers: 'The users who are signed in on the device.',
    publicIpV4: 'The address that the agent connects from.',
    publicIpV6: 'The address that the agent connects from.',
    isOutdated: 'True if the agent has another version than the server offers.',
    alias: 'The name that users gave the device.',
  },
);
export type DeviceResponseDto = Infer<typeof DeviceResponseDto>;

export const CreateDeviceRequestDto = record(
  'CreateDeviceRequestDto',
  'The registration of a device over HTTP, with an installer key.',
  {
    device: DeviceUpdateRequestDto,
    installerKeyId: guid,
    installerKeySecret: text(MAX_IDENTIFIER_LENGTH),
    tagIds: nullable(arrayOf(guid)),
    publicKey: nullable(text(MAX_IDENTIFIER_LENGTH)),
    customerId: optional(guid),
  },
  {
    device: 'The first report of the device.',
    publicKey: 'The Ed25519 key that the device will sign its updates with: standard base64 of 32 bytes.',
    customerId: 'The customer that the device belongs to.',
  },
);
export type CreateDeviceRequestDto = Infer<typeof CreateDeviceRequestDto>;

export const BundleMetadataDto = record(
  'BundleMetadataDto',
  'The agent that the server offers for one platform, answered over HTTP.',
  {
    brandName: text(MAX_NAME_LENGTH),
    bundleDownloadUrl: text(MAX_NAME_LENGTH),
    bundleSha256: text(MAX_NAME_LENGTH),
    installerDownloadUrl: text(MAX_NAME_LENGTH),
    installerSha256: text(MAX_NAME_LENGTH),
    publisher: text(MAX_NAME_LENGTH),
    runtime: RuntimeId,
    version: version,
  },
  {
    bundleSha256: 'Hexadecimal.',
    installerSha256: 'Hexadecimal.',
  },
);
export type BundleMetadataDto = Infer<typeof BundleMetadataDto>;
