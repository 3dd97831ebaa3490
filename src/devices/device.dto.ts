import { Architecture, DriveType, SystemPlatform } from '#libs/contracts';

import { EnumName, EnumNumber, namesOf, numbersOf } from '../http/binding/enum-fields.js';
import { Bool, Double, Guid, GuidList, Instant, Int, ListOf, Nested, Text, TextList } from '../http/binding/fields.js';
import { SEARCH_OPERATORS, SEARCH_PROPERTIES } from './device-search.js';
import { FilterMatchMode } from './filter-match-mode.js';

/** Most devices that one delete-many call takes. */
export const MAXIMUM_DELETIONS = 1_000;
/** Longest alias, in characters. */
export const MAXIMUM_ALIAS_LENGTH = 100;
/** Most ids in each list of a search. */
const MAXIMUM_SEARCH_IDS = 1_000;
const MAXIMUM_FILTERS = 50;
const MAXIMUM_SORTS = 20;
const MAXIMUM_SEARCH_TEXT_LENGTH = 256;
const MAXIMUM_TEXT_LENGTH = 1_024;
/** The page size of a search that names none. */
const DEFAULT_PAGE_SIZE = 25;

const DRIVE_TYPE = namesOf('DriveType', Object.fromEntries(Object.keys(DriveType.values).map((name) => [name, name])));
export const ARCHITECTURE = numbersOf('Architecture', Architecture.values);
export const PLATFORM = numbersOf('SystemPlatform', SystemPlatform.values);

const MATCH_MODE = namesOf('FilterMatchMode', FilterMatchMode, {
  Any: 'the device carries at least one of the ids.',
  All: 'the device carries every one of the ids.',
});

/** A drive; sizes in GiB. */
export class Drive {
  @EnumName('', DRIVE_TYPE) driveType: string;
  @Text('') rootDirectory: string;
  @Text('') name: string;
  @Text('') driveFormat: string;
  @Double('') freeSpace: number;
  @Double('') totalSize: number;
  @Text('') volumeLabel: string;
}

/** A device. Memory and storage in GiB, utilization 0 to 1. */
export class DeviceResponseDto {
  @Text('') name: string;
  @Text('') agentVersion: string;
  @Double('') cpuUtilization: number;
  @Guid('') id: string;
  @Bool('') is64Bit: boolean;
  @Bool('') isOnline: boolean;
  @Instant('') lastSeen: string;
  @EnumNumber('', ARCHITECTURE) osArchitecture: number;
  @EnumNumber('', PLATFORM) platform: number;
  @Int('') processorCount: number;
  @Text('Empty while the device is offline.') connectionId: string;
  @Text('') osDescription: string;
  @Guid('') tenantId: string;
  @Double('') totalMemory: number;
  @Double('') totalStorage: number;
  @Double('') usedMemory: number;
  @Double('') usedStorage: number;
  @TextList('', { maxLength: MAXIMUM_TEXT_LENGTH }) currentUsers: readonly string[];
  @TextList('', { maxLength: MAXIMUM_TEXT_LENGTH }) macAddresses: readonly string[];
  @Text('') publicIpV4: string;
  @Text('') publicIpV6: string;
  @Text('') localIpV4: string;
  @Text('') localIpV6: string;
  @ListOf('', () => Drive) drives: readonly Drive[];
  @Bool('The device runs another agent version than the server hands out.') isOutdated: boolean;
  @Text('') dnsHostName: string;
  @GuidList('Null when the device carries no tag.', { nullable: true }) tagIds: readonly string[] | null;
  @Text('', { nullable: true }) alias: string | null;
  @Guid('', { nullable: true }) customerId: string | null;
  @Text('', { nullable: true }) customerName: string | null;
}

export class DeviceSummaryDto {
  @Guid('') id: string;
  @Instant('') lastSeen: string;
  @Text('') agentVersion: string;
}

export class DeviceColumnFilter {
  @Text('A property of the device, in any case. The two percentages are shares from 0 to 1.', {
    max: MAXIMUM_TEXT_LENGTH,
    values: SEARCH_PROPERTIES,
    example: 'osDescription',
  })
  propertyName: string;
  @Text(
    'How the property is compared, in any case. `is empty` and `is not empty` fit every property.\n' +
      '- Texts: `contains`, `not contains`, `equals`, `not equals`, `starts with`, `ends with`, all without regard to case.\n' +
      '- Numbers: `=`, `!=`, `is`, `is not`, `>`, `>=`, `<`, `<=`.\n' +
      '- `lastSeen`: as numbers, and `is after`, `is on or after`, `is before`, `is on or before`.\n' +
      '- `isOnline`, `is64Bit`, `platform`, `osArchitecture`: `=`, `!=`, `is`, `is not`.',
    { max: MAXIMUM_TEXT_LENGTH, values: SEARCH_OPERATORS, example: 'contains' },
  )
  operator: string;
  @Text('What the property is compared with. Without a value, a filter whose operator needs one filters nothing.', {
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
  @Bool('', { default: false }) descending: boolean;
  @Int('Lower numbers sort first.', { default: 0 }) sortOrder: number;
}

export class DeviceSearchRequestDto {
  @Text('Part of a name, alias, host name, address, user, in any case.', { nullable: true, max: MAXIMUM_SEARCH_TEXT_LENGTH })
  searchText: string | null;
  @Bool('', { default: false }) hideOfflineDevices: boolean;
  @ListOf('', () => DeviceColumnFilter, { nullable: true, max: MAXIMUM_FILTERS }) filterDefinitions: DeviceColumnFilter[] | null;
  @ListOf('', () => DeviceColumnSort, { nullable: true, max: MAXIMUM_SORTS }) sortDefinitions: DeviceColumnSort[] | null;
  @GuidList('', { nullable: true, max: MAXIMUM_SEARCH_IDS }) tagIds: string[] | null;
  @EnumName('', MATCH_MODE, { default: FilterMatchMode.Any }) tagFilterMatchMode: FilterMatchMode;
  @GuidList('', { nullable: true, max: MAXIMUM_SEARCH_IDS }) deviceGroupIds: string[] | null;
  @EnumName('', MATCH_MODE, { default: FilterMatchMode.Any }) deviceGroupFilterMatchMode: FilterMatchMode;
  @GuidList('', { nullable: true, max: MAXIMUM_SEARCH_IDS }) customerIds: string[] | null;
  @Bool('', { default: false }) showOnlyUntaggedDevices: boolean;
  @Bool('', { default: false }) showOnlyUngroupedDevices: boolean;
  @Int('From 0.', { min: 0, default: 0 }) page: number;
  @Int('At most 1000 items are answered, whatever is asked for.', { min: 1, default: DEFAULT_PAGE_SIZE }) pageSize: number;
}

export class DeviceSearchFilterCountsDto {
  @Int('') onlineDevices: number;
  @Int('') offlineDevices: number;
  @Int('') taggedDevices: number;
  @Int('') untaggedDevices: number;
}

export class DeviceSearchResponseDto {
  @ListOf('', () => DeviceResponseDto, { nullable: true }) items: DeviceResponseDto[] | null;
  @Int('Devices that match, on all pages.') totalItems: number;
  @Bool('Whether the caller reaches any device at all.') anyDevicesForUser: boolean;
  @Nested('', () => DeviceSearchFilterCountsDto) filterCounts: DeviceSearchFilterCountsDto;
}

export class UpdateDeviceAliasRequestDto {
  @Guid('The same id as in the path.') deviceId: string;
  @Text('Null and empty take the alias away.', { nullable: true, max: MAXIMUM_ALIAS_LENGTH }) alias: string | null;
}

export class DeleteDevicesRequestDto {
  @GuidList('', { max: MAXIMUM_DELETIONS }) deviceIds: string[];
}

export class DeleteManyDevicesResponseDto {
  @GuidList('') successIds: string[];
  @GuidList('Unknown devices and those that the caller may not delete.') failureIds: string[];
}
