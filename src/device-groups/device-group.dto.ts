import { Guid, GuidList, Instant, Int, ListOf, Name, Text } from '../http/binding/fields.js';

/** Most devices that one request may name. */
const MAXIMUM_DEVICES = 1_000;

export class DeviceGroupMemberDto {
  @Guid('') deviceId: string;
  @Text('') deviceName: string;
  @Text('', { nullable: true }) alias: string | null;
  @Text('', { nullable: true }) customerName: string | null;
}

export class DeviceGroupDto {
  @Guid('') id: string;
  @Text('') name: string;
  @Text('', { nullable: true }) description: string | null;
  @Instant('') createdAt: Date;
  @Int('') memberCount: number;
}

export class DeviceGroupDetailDto {
  @Guid('') id: string;
  @Text('') name: string;
  @Text('', { nullable: true }) description: string | null;
  @Instant('') createdAt: Date;
  @ListOf('All of them by device name, whatever its case.', () => DeviceGroupMemberDto)
  members: DeviceGroupMemberDto[];
}

export class DeviceGroupsResponseDto {
  @ListOf('', () => DeviceGroupDto) items: DeviceGroupDto[];
}

export class CreateDeviceGroupRequestDto {
  @Name('', { min: 1, max: 100 }) name: string;
  @Text('', { nullable: true, max: 500 }) description: string | null;
}

export class UpdateDeviceGroupRequestDto {
  @Name('', { min: 1, max: 100 }) name: string;
  @Text('', { nullable: true, keptIfLeftOut: true, max: 500 }) description?: string | null;
}

export class AddDeviceGroupMembersRequestDto {
  @GuidList('Devices of the tenant; those that are members already are ignored.', { max: MAXIMUM_DEVICES })
  deviceIds: string[];
}

export class RemoveDeviceGroupMembersRequestDto {
  @GuidList('Ids that are no members are ignored.', { max: MAXIMUM_DEVICES })
  deviceIds: string[];
}
