import { Guid, GuidList, Instant, Int, ListOf, Name, Text } from '../../platform/http/binding/fields.js';

/** Most devices that one request may name. */
const MAXIMUM_DEVICES = 1_000;

export class DeviceGroupMemberDto {
  @Guid('Id of the device.') deviceId: string;
  @Text('Name of the device.', { example: 'front-desk-2' }) deviceName: string;
  @Text('Alias of the device; null if it has none.', { nullable: true, example: 'Reception' }) alias: string | null;
  @Text("Name of the device's customer; null if it has none.", { nullable: true, example: 'Bakery Lund' }) customerName: string | null;
}

export class DeviceGroupDto {
  @Guid('Id of the group.') id: string;
  @Text('Name of the group, unique within the tenant.', { example: 'Servers' }) name: string;
  @Text('Description for people.', { nullable: true, example: 'Machines in the server room' }) description: string | null;
  @Instant('Creation time of the group.') createdAt: Date;
  @Int('Number of its members.', { example: 12 }) memberCount: number;
}

export class DeviceGroupDetailDto {
  @Guid('Id of the group.') id: string;
  @Text('Name of the group, unique within the tenant.', { example: 'Servers' }) name: string;
  @Text('Description for people.', { nullable: true, example: 'Machines in the server room' }) description: string | null;
  @Instant('Creation time of the group.') createdAt: Date;
  @ListOf('The members, sorted by device name.', () => DeviceGroupMemberDto)
  members: DeviceGroupMemberDto[];
}

export class DeviceGroupsResponseDto {
  @ListOf('The groups, sorted by name.', () => DeviceGroupDto) items: DeviceGroupDto[];
}

export class CreateDeviceGroupRequestDto {
  @Name('Name of the group, unique within the tenant.', { min: 1, max: 100, example: 'Servers' }) name: string;
  @Text('Description for people.', { nullable: true, max: 500, example: 'Machines in the server room' }) description: string | null;
}

export class UpdateDeviceGroupRequestDto {
  @Name('Name of the group, unique within the tenant.', { min: 1, max: 100, example: 'Servers' }) name: string;
  @Text('Description for people.', { nullable: true, unchangedIfOmitted: true, max: 500, example: 'Machines in the server room' })
  description?: string | null;
}

export class AddDeviceGroupMembersRequestDto {
  @GuidList('Ids of devices of the tenant.', { max: MAXIMUM_DEVICES })
  deviceIds: string[];
}

export class RemoveDeviceGroupMembersRequestDto {
  @GuidList('Ids of the devices to remove.', { max: MAXIMUM_DEVICES })
  deviceIds: string[];
}
