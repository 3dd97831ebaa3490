import { Architecture, DriveType, SystemPlatform } from '#libs/contracts';

import {
  Bool,
  Double,
  EnumName,
  EnumNumber,
  Guid,
  GuidList,
  Instant,
  Int,
  ListOf,
  Nested,
  Text,
  TextList,
  type NamedEnum,
} from '../http/binding/fields.js';

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

const driveTypes: NamedEnum = Object.fromEntries(Object.keys(DriveType.values).map((name) => [name, name]));

/** Whether a device must carry any or all of the ids that a search names. */
export enum FilterMatchMode {
  Any = 'Any',
  All = 'All',
}

/** A drive; sizes in GiB. */
export class Drive {
  @EnumName(driveTypes, { name: 'DriveType' }) driveType: string;
  @Text() rootDirectory: string;
  @Text() name: string;
  @Text() driveFormat: string;
  @Double() freeSpace: number;
  @Double() totalSize: number;
  @Text() volumeLabel: string;
}

/** A device. Memory and storage in GiB, utilization 0 to 1. */
export class DeviceResponseDto {
  @Text() name: string;
  @Text() agentVersion: string;
  @Double() cpuUtilization: number;
  @Guid() id: string;
  @Bool() is64Bit: boolean;
  @Bool() isOnline: boolean;
  @Instant() lastSeen: string;
  @EnumNumber('Architecture', Architecture.values) osArchitecture: number;
  @EnumNumber('SystemPlatform', SystemPlatform.values) platform: number;
  @Int() processorCount: number;
  @Text({ description: 'Empty while the device is offline.' }) connectionId: string;
  @Text() osDescription: string;
  @Guid() tenantId: string;
  @Double() totalMemory: number;
  @Double() totalStorage: number;
  @Double() usedMemory: number;
  @Double() usedStorage: number;
  @TextList({ maxLength: MAXIMUM_TEXT_LENGTH }) currentUsers: readonly string[];
  @TextList({ maxLength: MAXIMUM_TEXT_LENGTH }) macAddresses: readonly string[];
  @Text() publicIpV4: string;
  @Text() publicIpV6: string;
  @Text() localIpV4: string;
  @Text() localIpV6: string;
  @ListOf(() => Drive) drives: readonly Drive[];
  @Bool({ description: 'The device runs another agent version than the server hands out.' }) isOutdated: boolean;
  @Text() dnsHostName: string;
  @GuidList({ nullable: true, description: 'Null when the device carries no tag.' }) tagIds: readonly string[] | null;
  @Text({ nullable: true }) alias: string | null;
  @Guid({ nullable: true }) customerId: string | null;
  @Text({ nullable: true }) customerName: string | null;
}

export class DeviceSummaryDto {
  @Guid() id: string;
  @Instant() lastSeen: string;
  @Text() agentVersion: string;
}

export class DeviceColumnFilter {
  @Text({
    nullable: true,
    max: MAXIMUM_TEXT_LENGTH,
    description:
      'A property of the device without drives, tagIds and isOutdated, or usedMemoryPercent or usedStoragePercent (0 to 1). In any case.',
  })
  propertyName: string | null;
  @Text({
    nullable: true,
    max: MAXIMUM_TEXT_LENGTH,
    description:
      'For texts: contains, not contains, equals, not equals, starts with, ends with (all without regard to case). For numbers: =, !=, >, >=, <, <=. ' +
      'For true and false, platform and osArchitecture: is, is not. For lastSeen: is, is not, is after, is on or after, is before, is on or before. ' +
      'For all: is empty, is not empty.',
  })
  operator: string | null;
  @Text({ nullable: true, max: MAXIMUM_TEXT_LENGTH, description: 'A filter whose operator needs a value and has none filters nothing.' })
  value: string | null;
}

export class DeviceColumnSort {
  @Text({ nullable: true, max: MAXIMUM_TEXT_LENGTH, description: 'As in filters.' }) propertyName: string | null;
  @Bool({ default: false }) descending: boolean;
  @Int({ default: 0, description: 'Lower numbers sort first.' }) sortOrder: number;
}

export class DeviceSearchRequestDto {
  @Text({ nullable: true, max: MAXIMUM_SEARCH_TEXT_LENGTH, description: 'Part of a name, alias, host name, address, user, in any case.' })
  searchText: string | null;
  @Bool({ default: false }) hideOfflineDevices: boolean;
  @ListOf(() => DeviceColumnFilter, { nullable: true, max: MAXIMUM_FILTERS }) filterDefinitions: DeviceColumnFilter[] | null;
  @ListOf(() => DeviceColumnSort, { nullable: true, max: MAXIMUM_SORTS }) sortDefinitions: DeviceColumnSort[] | null;
  @GuidList({ nullable: true, max: MAXIMUM_SEARCH_IDS }) tagIds: string[] | null;
  @EnumName(FilterMatchMode, { name: 'FilterMatchMode', default: FilterMatchMode.Any }) tagFilterMatchMode: FilterMatchMode;
  @GuidList({ nullable: true, max: MAXIMUM_SEARCH_IDS }) deviceGroupIds: string[] | null;
  @EnumName(FilterMatchMode, { name: 'FilterMatchMode', default: FilterMatchMode.Any }) deviceGroupFilterMatchMode: FilterMatchMode;
  @GuidList({ nullable: true, max: MAXIMUM_SEARCH_IDS }) customerIds: string[] | null;
  @Bool({ default: false }) showOnlyUntaggedDevices: boolean;
  @Bool({ default: false }) showOnlyUngroupedDevices: boolean;
  @Int({ min: 0, default: 0, description: 'From 0.' }) page: number;
  @Int({ min: 1, default: DEFAULT_PAGE_SIZE, description: 'At most 1000 items are answered, whatever is asked for.' }) pageSize: number;
}

export class DeviceSearchFilterCountsDto {
  @Int() onlineDevices: number;
  @Int() offlineDevices: number;
  @Int() taggedDevices: number;
  @Int() untaggedDevices: number;
}

export class DeviceSearchResponseDto {
  @ListOf(() => DeviceResponseDto, { nullable: true }) items: DeviceResponseDto[] | null;
  @Int({ description: 'Devices that match, on all pages.' }) totalItems: number;
  @Bool({ description: 'Whether the caller reaches any device at all.' }) anyDevicesForUser: boolean;
  @Nested(() => DeviceSearchFilterCountsDto) filterCounts: DeviceSearchFilterCountsDto;
}

export class UpdateDeviceAliasRequestDto {
  @Guid({ description: 'The same id as in the path.' }) deviceId: string;
  @Text({ nullable: true, max: MAXIMUM_ALIAS_LENGTH, description: 'Null and empty take the alias away.' }) alias: string | null;
}

export class DeleteDevicesRequestDto {
  @GuidList({ max: MAXIMUM_DELETIONS }) deviceIds: string[];
}

export class DeleteManyDevicesResponseDto {
  @GuidList({}) successIds: string[];
  @GuidList({ description: 'Unknown devices and those that the caller may not delete.' }) failureIds: string[];
}
