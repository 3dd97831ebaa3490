import { Architecture, DriveType, SystemPlatform } from '#libs/contracts';

import { EnumName, EnumNumber, namesOf, numbersOf } from '../../platform/http/binding/enum-fields.js';
import {
  Bool,
  Double,
  Guid,
  GuidList,
  Instant,
  Int,
  ListOf,
  Name,
  Nested,
  PageSize,
  Text,
  TextList,
} from '../../platform/http/binding/fields.js';
import { DEVICE_FIELDS } from './row/device-fields.js';
import { FilterMatchMode } from './search/filter-match-mode.js';
import { SEARCH_OPERATORS } from './search/search-operators.js';
import { SEARCH_PROPERTIES } from './search/search-properties.js';

/** Most devices that one delete-many call takes. */
const MAXIMUM_DELETIONS = 1_000;
/** Longest alias, in characters. */
const MAXIMUM_ALIAS_LENGTH = DEVICE_FIELDS.alias.maxLength;
/** Most ids in each list of a search. */
const MAXIMUM_SEARCH_IDS = 1_000;
/** Each filter may be compared with every device. Data grids send one a column. */
const MAXIMUM_FILTERS = 20;
/** People cannot tell the effect of more. */
const MAXIMUM_SORTS = 5;
const MAXIMUM_SEARCH_TEXT_LENGTH = 256;
const MAXIMUM_TEXT_LENGTH = 1_024;
/** The page size of a search that names none. */
const DEFAULT_PAGE_SIZE = 25;
const MAXIMUM_PAGE_SIZE = 1_000;

const DRIVE_TYPE = namesOf('DriveType', Object.fromEntries(Object.keys(DriveType.values).map((name) => [name, name])));
export const ARCHITECTURE = numbersOf('Architecture', Architecture.values);
export const PLATFORM = numbersOf('SystemPlatform', SystemPlatform.values);

const MATCH_MODE = namesOf('FilterMatchMode', FilterMatchMode, {
  Any: 'the device carries at least one of the ids.',
  All: 'the device carries every one of the ids.',
});

const DEVICE_ID = 'Id of the device.';
const LAST_SEEN = 'Time of the last report or disconnection of the device.';
const AGENT_VERSION = 'Version of the agent.';
const EXAMPLE_VERSION = '1.4.2.0';
const MATCH_ANY_OR_ALL = 'Ids that a device must match: any or all of';

/** A drive. */
export class Drive {
  @EnumName('Kind of the drive.', DRIVE_TYPE) driveType: string;
  @Text('Path at which the drive is mounted.', { example: '/' }) rootDirectory: string;
  @Text('Name of the drive.', { example: '/' }) name: string;
  @Text('File system of the drive.', { example: 'ext4' }) driveFormat: string;
  @Double('Free space in GiB.', { example: 354.4 }) freeSpace: number;
  @Double('Size in GiB.', { example: 476.3 }) totalSize: number;
  @Text('Label of the volume.', { example: 'system' }) volumeLabel: string;
}

/** A device. */
export class DeviceResponseDto {
  @Text('Name of the machine, as it reports it.', { example: 'front-desk-2' }) name: string;
  @Text(AGENT_VERSION, { example: EXAMPLE_VERSION }) agentVersion: string;
  @Double('Use of the processors, from 0 to 1.', { example: 0.12 }) cpuUtilization: number;
  @Guid(DEVICE_ID) id: string;
  @Bool('True for a 64-bit operating system.') is64Bit: boolean;
  @Bool('True if the agent is connected.') isOnline: boolean;
  @Instant(LAST_SEEN) lastSeen: string;
  @EnumNumber('Architecture of the processor.', ARCHITECTURE) osArchitecture: number;
  @EnumNumber('Operating system.', PLATFORM) platform: number;
  @Int('Number of logical processors.', { example: 8 }) processorCount: number;
  @Text("Id of the agent's connection to the agent hub; empty while the device is offline.", { example: 'k3Jd9sLqPw2x' })
  connectionId: string;
  @Text('Name and version of the operating system.', { example: 'Debian GNU/Linux 12 (bookworm)' }) osDescription: string;
  @Guid('Id of the tenant that the device belongs to.') tenantId: string;
  @Double('Memory in GiB.', { example: 15.6 }) totalMemory: number;
  @Double('Storage of the fixed drives in GiB.', { example: 476.3 }) totalStorage: number;
  @Double('Memory in use in GiB.', { example: 6.2 }) usedMemory: number;
  @Double('Storage in use in GiB.', { example: 121.9 }) usedStorage: number;
  @TextList('Names of the users who are signed in.', { maxLength: MAXIMUM_TEXT_LENGTH, example: ['anna'] })
  currentUsers: readonly string[];
  @TextList('MAC addresses of the network interfaces.', { maxLength: MAXIMUM_TEXT_LENGTH, example: ['0A1B2C3D4E5F'] })
  macAddresses: readonly string[];
  @Text('IPv4 address that the agent connects from, as the service sees it.', { example: '203.0.113.17' }) publicIpV4: string;
  @Text('IPv6 address that the agent connects from, as the service sees it.', { example: '2001:db8::17' }) publicIpV6: string;
  @Text('Local IPv4 address, as the device reports it.', { example: '192.168.1.24' }) localIpV4: string;
  @Text('Local IPv6 address, as the device reports it.', { example: 'fd00::24' }) localIpV6: string;
  @ListOf('The fixed drives.', () => Drive) drives: readonly Drive[];
  @Bool('True if the device runs another version of the agent than the server has published.', { example: false }) isOutdated: boolean;
  @Text('DNS name of the machine.', { example: 'front-desk-2.example.org' }) dnsHostName: string;
  @GuidList('Ids of the tags of the device; null if it has none.', { nullable: true }) tagIds: readonly string[] | null;
  @Text('Name that people have given to the device; null if it has none.', { nullable: true, example: 'Reception' })
  alias: string | null;
  @Guid('Id of the customer that the device belongs to; null if it belongs to none.', { nullable: true }) customerId: string | null;
  @Text('Name of that customer.', { nullable: true, example: 'Bakery Lund' }) customerName: string | null;
}

export class DeviceSummaryDto {
  @Guid(DEVICE_ID) id: string;
  @Instant(LAST_SEEN) lastSeen: string;
  @Text(AGENT_VERSION, { example: EXAMPLE_VERSION }) agentVersion: string;
}

export class DeviceColumnFilter {
  @Text('A property of the device, in any case. The two percentages are shares from 0 to 1. A filter without a property filters nothing.', {
    nullable: true,
    max: MAXIMUM_TEXT_LENGTH,
    values: SEARCH_PROPERTIES,
    example: 'osDescription',
  })
  propertyName: string | null;
  @Text(
    'Comparison of the property with the value, in any case. `is empty` and `is not empty` fit every property. A filter without an operator filters nothing.\n' +
      '- Texts: `contains`, `not contains`, `equals`, `not equals`, `starts with`, `ends with`, all without regard to case.\n' +
      '- Numbers: `=`, `!=`, `is`, `is not`, `>`, `>=`, `<`, `<=`.\n' +
      '- `lastSeen`: as numbers, and `is after`, `is on or after`, `is before`, `is on or before`.\n' +
      '- `isOnline`, `is64Bit`, `platform`, `osArchitecture`: `=`, `!=`, `is`, `is not`.',
    { nullable: true, max: MAXIMUM_TEXT_LENGTH, values: SEARCH_OPERATORS, example: 'contains' },
  )
  operator: string | null;
  @Text('Value that the property is compared with. Without one, a filter whose operator needs a value filters nothing.', {
    nullable: true,
    max: MAXIMUM_TEXT_LENGTH,
    example: 'Windows 11',
  })
  value: string | null;
}

export class DeviceColumnSort {
  @Text('A property of the device, in any case, as in filters.', {
    max: MAXIMUM_TEXT_LENGTH,
    values: SEARCH_PROPERTIES,
    example: 'name',
  })
  propertyName: string;
  @Bool('True to sort the largest value first.', { default: false }) descending: boolean;
  @Int('Position among the sort definitions; the lowest number decides first.', { default: 0 }) sortOrder: number;
}

class DeviceConditionsDto {
  @Text('A text to look for, in any case, in name, alias, host name, operating system, agent version, addresses, users and id.', {
    nullable: true,
    max: MAXIMUM_SEARCH_TEXT_LENGTH,
    example: 'front',
  })
  searchText: string | null;
  @Bool('True to leave out devices that are offline.', { default: false }) hideOfflineDevices: boolean;
  @ListOf('Conditions on single properties; all of them have to hold.', () => DeviceColumnFilter, { nullable: true, max: MAXIMUM_FILTERS })
  filterDefinitions: DeviceColumnFilter[] | null;
  @ListOf('The order. Without one, the oldest device comes first.', () => DeviceColumnSort, { nullable: true, max: MAXIMUM_SORTS })
  sortDefinitions: DeviceColumnSort[] | null;
  @GuidList('Ids of tags that a device has to carry.', { nullable: true, max: MAXIMUM_SEARCH_IDS }) tagIds: string[] | null;
  @EnumName(`${MATCH_ANY_OR_ALL} \`tagIds\`.`, MATCH_MODE, { default: FilterMatchMode.Any }) tagFilterMatchMode: FilterMatchMode;
  @GuidList('Ids of device groups that a device has to be in.', { nullable: true, max: MAXIMUM_SEARCH_IDS }) deviceGroupIds:
    string[] | null;
  @EnumName(`${MATCH_ANY_OR_ALL} \`deviceGroupIds\`.`, MATCH_MODE, { default: FilterMatchMode.Any })
  deviceGroupFilterMatchMode: FilterMatchMode;
  @GuidList('Ids of customers, one of which a device has to belong to.', { nullable: true, max: MAXIMUM_SEARCH_IDS }) customerIds:
    string[] | null;
  @Bool('True to search only devices without a tag.', { default: false }) showOnlyUntaggedDevices: boolean;
  @Bool('True to search only devices in no device group.', { default: false }) showOnlyUngroupedDevices: boolean;
}

export class DeviceSearchRequestDto extends DeviceConditionsDto {
  @Int('Number of the page, from 0.', { min: 0, default: 0 }) page: number;
  @PageSize('Devices', { min: 1, max: MAXIMUM_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }) pageSize: number;
}

/** The body of the internal route. Definitions with unknown properties are left out. */
export class LenientDeviceSearchRequestDto extends DeviceConditionsDto {
  @Int('Number of the page, from 0. Less counts as 0.', { default: 0 }) page: number;
  @PageSize('Devices', { max: MAXIMUM_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }) pageSize: number;
}

export class DeviceSearchFilterCountsDto {
  @Int('Devices that match and are online.', { example: 18 }) onlineDevices: number;
  @Int('Devices that match and are offline.', { example: 3 }) offlineDevices: number;
  @Int('Devices that match and carry a tag.', { example: 12 }) taggedDevices: number;
  @Int('Devices that match and carry no tag.', { example: 9 }) untaggedDevices: number;
}

export class DeviceSearchResponseDto {
  @ListOf('The devices of the page.', () => DeviceResponseDto, { nullable: true }) items: DeviceResponseDto[] | null;
  @Int('Number of devices that match, on all pages.', { example: 21 }) totalItems: number;
  @Bool('True if the caller can see at least one device.') anyDevicesForUser: boolean;
  @Nested('Counts over all devices that match.', () => DeviceSearchFilterCountsDto) filterCounts: DeviceSearchFilterCountsDto;
}

export class UpdateDeviceAliasRequestDto {
  @Guid('The same id as in the path.') deviceId: string;
  @Name('The new alias. A blank text removes it, as null does.', {
    nullable: true,
    unchangedIfOmitted: true,
    max: MAXIMUM_ALIAS_LENGTH,
    example: 'Reception',
  })
  alias?: string | null;
}

export class DeleteDevicesRequestDto {
  @GuidList('Ids of the devices to delete.', { max: MAXIMUM_DELETIONS }) deviceIds: string[];
}

export class DeleteManyDevicesResponseDto {
  @GuidList('Ids of the devices that were deleted.') successIds: string[];
  @GuidList('Ids of devices that do not exist or that the caller may not delete.') failureIds: string[];
}
