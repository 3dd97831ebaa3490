import { Guid, GuidList, Instant, Int, ListOf, Text } from '../http/binding/fields.js';
import { LIST_LIMIT } from '../common/list-limit.js';

/** Most devices that one request may name. */
const MAXIMUM_DEVICES = 1_000;

export class DeviceGroupMemberDto {
  @Guid() deviceId: string;
  @Text() deviceName: string;
  @Text({ nullable: true }) alias: string | null;
  @Text({ nullable: true }) customerName: string | null;
}

export class DeviceGroupDto {
  @Guid() id: string;
  @Text() name: string;
  @Text({ nullable: true }) description: string | null;
  @Instant() createdAt: Date;
  @Int() memberCount: number;
}

export class DeviceGroupDetailDto {
  @Guid() id: string;
  @Text() name: string;
  @Text({ nullable: true }) description: string | null;
  @Instant() createdAt: Date;
  @ListOf(() => DeviceGroupMemberDto, {
    description: `By device name, at most ${LIST_LIMIT}; of a larger group a device search by its id finds all.`,
  })
  members: DeviceGroupMemberDto[];
}

export class DeviceGroupsResponseDto {
  @ListOf(() => DeviceGroupDto) items: DeviceGroupDto[];
}

export class CreateDeviceGroupRequestDto {
  @Text({ min: 1, max: 100, notBlank: true }) name: string;
  @Text({ nullable: true, max: 500 }) description: string | null;
}

export class UpdateDeviceGroupRequestDto extends CreateDeviceGroupRequestDto {}

export class AddDeviceGroupMembersRequestDto {
  @GuidList({ max: MAXIMUM_DEVICES, description: 'Devices of the tenant; those that are members already are ignored.' })
  deviceIds: string[];
}

export class RemoveDeviceGroupMembersRequestDto {
  @GuidList({ max: MAXIMUM_DEVICES, description: 'Ids that are no members are ignored.' })
  deviceIds: string[];
}
